// A client built with the TypeScript SDK v1, in one session: ts1.mjs legacy COMMAND [ARG…]
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  PromptListChangedNotificationSchema, ResourceListChangedNotificationSchema, ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { changes, drive } from "./driver.mjs";

const [, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "kill", version: "1" });
for (const schema of [PromptListChangedNotificationSchema, ResourceListChangedNotificationSchema, ToolListChangedNotificationSchema]) {
  client.setNotificationHandler(schema, () => void changes.n++);
}
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
await drive(client, (params) => client.callTool(params));
