// What both TypeScript clients do: a step in, one line of JSON out.
import { createInterface } from "node:readline";

/** What the server has told of changed lists. */
export const changes = { n: 0 };

/** Takes steps from stdin until it ends: call, many (calls at once) and list. */
export async function drive(client, call) {
  const attempt = (promise) => promise.then(
    (result) => ({ result }), (err) => ({ error: { code: err.code, message: err.message, data: err.data } }));
  const say = (line) => process.stdout.write(JSON.stringify({ ...line, changes: changes.n }) + "\n");
  for await (const line of createInterface({ input: process.stdin })) {
    const step = JSON.parse(line);
    const params = { name: step.tool, arguments: step.arguments };
    if (step.do === "list") {
      const listed = await attempt(client.listTools());
      say(listed.result ? { tools: listed.result.tools.map((t) => t.name) } : listed);
    } else if (step.do === "many") {
      const all = Promise.all(Array.from({ length: step.count }, () => attempt(call(params))));
      say({ begun: true });
      say({ all: await all });
    } else {
      say(await attempt(call(params)));
    }
  }
  await client.close();
}
