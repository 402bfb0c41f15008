// A client built with the TypeScript SDK v2, in one session: ts2.mjs legacy|auto COMMAND [ARG…]
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { changes, drive } from "./driver.mjs";

const [era, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "kill", version: "1" }, { versionNegotiation: { mode: era } });
for (const kind of ["prompts", "resources", "tools"]) {
  client.setNotificationHandler(`notifications/${kind}/list_changed`, () => void changes.n++);
}
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
await drive(client, (params) => client.callTool(params));
