// A client built with the TypeScript SDK v1.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { drive } from "./driver.mjs";

await drive(async ({ command: [command, ...args], env }, options) => {
  const client = new Client({ name: "ts1", version: "1" });
  client.call = (params, options) => client.callTool(params, CallToolResultSchema, options);
  await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: "ignore" }), options);
  return client;
});
