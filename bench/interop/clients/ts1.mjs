// A client built with the TypeScript SDK v1; legacy revisions only.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CallToolResultSchema, CreateMessageRequestSchema, ElicitRequestSchema, EmptyResultSchema, ListRootsRequestSchema,
  LoggingMessageNotificationSchema, ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { answers, commandLine, drive, Heard } from "./driver.mjs";

const { exercises, command, args } = commandLine();
const heard = new Heard();
const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
const client = new Client({ name: "interop", version: "1" }, { capabilities });
client.setRequestHandler(CreateMessageRequestSchema, (r) => answers.sample(r.params));
client.setRequestHandler(ElicitRequestSchema, answers.elicit);
client.setRequestHandler(ListRootsRequestSchema, answers.roots);
client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, data } }) => heard.add("logs", { level, data }));
client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => heard.add("updated", params.uri));

const transport = new StdioClientTransport({ command, args, env: process.env });
let version;
transport.setProtocolVersion = (v) => (version = v);
await client.connect(transport);
await drive(client, {
  version: () => version,
  call: (c, params, options) => c.callTool(params, CallToolResultSchema, options),
  subscribe: (c, uri) => c.subscribeResource({ uri }),
  setLevel: async (c, level) => void (await c.setLoggingLevel(level)),
  request: (c, method) => c.request({ method, params: {} }, EmptyResultSchema),
}, heard, exercises);
