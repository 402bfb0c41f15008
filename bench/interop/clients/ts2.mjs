// A client built with the TypeScript SDK v2; both eras.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { answers, commandLine, drive, Heard } from "./driver.mjs";

const { era, exercises, command, args } = commandLine();
const heard = new Heard();
const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
const client = new Client({ name: "interop", version: "1" }, { capabilities, versionNegotiation: { mode: era } });
client.setRequestHandler("sampling/createMessage", (r) => answers.sample(r.params));
client.setRequestHandler("elicitation/create", answers.elicit);
client.setRequestHandler("roots/list", answers.roots);
client.setNotificationHandler("notifications/message", ({ params: { level, data } }) => heard.add("logs", { level, data }));
client.setNotificationHandler("notifications/resources/updated", ({ params }) => heard.add("updated", params.uri));

await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const modern = client.getProtocolEra() === "modern";
await drive(client, {
  version: (c) => c.getNegotiatedProtocolVersion(),
  call: (c, params, options) => c.callTool(params, options),
  subscribe: (c, uri) => (modern ? c.listen({ resourceSubscriptions: [uri] }) : c.subscribeResource({ uri })),
  setLevel: async (c, level) => {
    if (modern) return { _meta: { "io.modelcontextprotocol/logLevel": level } };
    await c.setLoggingLevel(level);
  },
  request: (c, method) => c.request({ method, params: {} }, z.looseObject({})),
}, heard, exercises);
