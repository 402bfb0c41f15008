// A client built with the TypeScript SDK v2.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { drive } from "./driver.mjs";

await drive(async ({ command: [command, ...args], env }, options) => {
  const client = new Client({ name: "ts2", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  client.call = (params, options) => client.callTool(params, options);
  await client.connect(new StdioClientTransport({ command, args, env: { ...process.env, ...env }, stderr: "ignore" }), options);
  return client;
});
