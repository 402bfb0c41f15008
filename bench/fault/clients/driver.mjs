// What both TypeScript clients do: a session in, one line of JSON out. Sessions run
// side by side, and their lines come in any order.
import { createInterface } from "node:readline";

/** connect returns a client once it is connected, or throws what kept it from that. */
export async function drive(connect) {
  const running = [];
  for await (const line of createInterface({ input: process.stdin })) {
    const s = JSON.parse(line);
    running.push(session(connect, s).then((heard) => process.stdout.write(told({ n: s.n, ...heard }) + "\n")));
  }
  await Promise.all(running);
  process.exit(0); // whatever a bad server has left behind
}

/** Whoever gets what is nested too deep can't write it down either. */
function told(heard) {
  try {
    return JSON.stringify(heard);
  } catch (err) {
    return JSON.stringify({ ...heard, asks: heard.asks.map(({ ms }) => ({ failed: err.message, ms })) });
  }
}

async function session(connect, s) {
  let client;
  const options = { timeout: s.wait };
  const hello = await attempt(s.wait, async () => {
    client = await connect(s, options);
    return {};
  });
  const heard = { hello, list: {}, before: {}, asks: null, next: {}, tries: 0 };
  if (hello.result) {
    const ask = ({ method, params }) => attempt(s.wait, () => request(client, method, params ?? {}, options));
    const echo = (text) => ask({ method: "tools/call", params: { name: "echo", arguments: { text } } });
    heard.list = await ask({ method: "tools/list" });
    if (s.before) heard.before = await echo("before");
    heard.asks = await Promise.all(s.asks.map(ask));
    for (;; heard.tries++) {
      heard.next = await echo("next");
      if (heard.next.result?.content?.[0]?.text === "next" || heard.tries >= s.tries) break;
      const seconds = heard.next.result?._meta?.["dev.recourse/error"]?.retry_after_seconds ?? 0;
      await new Promise((done) => setTimeout(done, 1000 * Math.min(seconds, 10)));
    }
  }
  await Promise.race([client?.close(), new Promise((done) => setTimeout(done, 5000).unref())]);
  return heard;
}

/** A JSON-RPC error has a number that is not the SDK's own for no answer. */
async function attempt(wait, f) {
  const start = performance.now();
  const tooLong = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), wait + 1000).unref());
  const outcome = await Promise.race([f(), tooLong]).then(
    (result) => ({ result }),
    (err) => Number.isInteger(err.code) && err.code !== -32000 && err.code !== -32001
      ? { error: { code: err.code, message: err.message, data: err.data } }
      : { failed: `${err.code ?? ""} ${err.message}`.trim().slice(0, 1000) },
  );
  return { ...outcome, ms: performance.now() - start };
}

function request(client, method, params, options) {
  switch (method) {
    case "ping": return client.ping(options);
    case "tools/list": return client.listTools(params, options);
    case "tools/call": return client.call(params, options);
    case "resources/list": return client.listResources(params, options);
    case "resources/templates/list": return client.listResourceTemplates(params, options);
    case "resources/read": return client.readResource(params, options);
    case "prompts/list": return client.listPrompts(params, options);
    case "prompts/get": return client.getPrompt(params, options);
    case "completion/complete": return client.complete(params, options);
  }
  throw new Error(`no method ${method}`);
}
