// What both TypeScript clients do: an exercise in, one line of JSON out.
import { readFileSync } from "node:fs";

/** The client's answers when the server asks for something. */
export const answers = {
  sample: (params) => ({
    model: "parrot", role: "assistant", stopReason: "endTurn",
    content: { type: "text", text: "You said: " + [params.messages].flat().map((m) => m.content.text).join("") },
  }),
  elicit: () => ({ action: "accept", content: { name: "Ada", username: "ada", email: "ada@example.com" } }),
  roots: () => ({ roots: [{ uri: "file:///interop", name: "interop" }] }),
};

/** Reads the command line: ERA EXERCISES COMMAND [ARG…]. */
export function commandLine() {
  const [era, file, command, ...args] = process.argv.slice(2);
  if (!command) throw new Error("usage: auto|legacy EXERCISES COMMAND [ARG…]");
  return { era, exercises: JSON.parse(readFileSync(file, "utf8")), command, args };
}

/** Notifications kept, and promises that wait for enough of them. */
export class Heard {
  lists = { logs: [], updated: [] };
  waiting = [];
  add(list, value) {
    this.lists[list].push(value);
    this.waiting = this.waiting.filter((check) => !check());
  }
  until(list, count, about = () => true) {
    return new Promise((resolve) => {
      const check = () => {
        const got = this.lists[list].filter(about);
        if (got.length >= count) resolve(got);
        return got.length >= count;
      };
      if (!check()) this.waiting.push(check);
    });
  }
}

/** sdk is what differs between the two SDKs. */
export async function drive(client, sdk, heard, exercises) {
  for (const e of exercises) {
    const line = { exercise: e.exercise };
    if (!(await offered(client, sdk, e))) line.unsupported = true;
    else {
      try {
        line.result = (await within(60_000, run(client, sdk, heard, e))) ?? {};
      } catch (err) {
        line.error = { code: err.code, message: err.message, data: err.data };
      }
    }
    process.stdout.write(JSON.stringify(sorted(line)) + "\n");
  }
  await client.close();
}

function within(ms, promise) {
  let timer;
  const limit = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("exercise took too long")), ms)));
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

function sorted(v) {
  if (Array.isArray(v)) return v.map(sorted);
  if (v === null || typeof v !== "object") return v;
  return Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])]));
}

async function offered(client, sdk, e) {
  const c = client.getServerCapabilities();
  switch (e.do) {
    case "resources": case "templates": case "read": return !!c.resources;
    case "subscribe": return !!c.resources?.subscribe;
    case "prompts": case "prompt": return !!c.prompts;
    case "complete": return !!c.completions;
    case "log": return !!c.logging;
    case "call": case "cancel": case "concurrent":
      if (e.tool.startsWith("no_such_")) return true;
      return (await pages((p) => client.listTools(p), "tools")).some((t) => t.name === e.tool);
  }
  return true;
}

async function pages(list, key) {
  const all = [];
  for (let cursor; ;) {
    const page = await list(cursor ? { cursor } : undefined);
    all.push(...page[key]);
    if (!(cursor = page.nextCursor)) return all;
  }
}

async function run(client, sdk, heard, e) {
  switch (e.do) {
    case "initialize":
      return {
        protocolVersion: sdk.version(client), serverInfo: client.getServerVersion(),
        capabilities: client.getServerCapabilities(), instructions: client.getInstructions(),
      };
    case "ping": return client.ping();
    case "tools": return pages((p) => client.listTools(p), "tools");
    case "resources": return pages((p) => client.listResources(p), "resources");
    case "templates": return pages((p) => client.listResourceTemplates(p), "resourceTemplates");
    case "prompts": return pages((p) => client.listPrompts(p), "prompts");
    case "read": return client.readResource({ uri: e.uri });
    case "prompt": return client.getPrompt({ name: e.prompt, arguments: e.arguments });
    case "complete":
      return client.complete({
        ref: { type: "ref/prompt", name: e.prompt }, argument: { name: e.argument, value: e.value },
      });
    case "call": return call(client, sdk, heard, e);
    case "cancel": return cancel(client, sdk, heard, e);
    case "concurrent": return concurrent(client, sdk, heard, e);
    case "subscribe": {
      await sdk.subscribe(client, e.uri);
      const then = await run(client, sdk, heard, e.then);
      return { then, updated: (await heard.until("updated", 1)).slice(0, 1) };
    }
    case "log": return log(client, sdk, heard, e);
    case "request": return sdk.request(client, e.method);
  }
  throw new Error(`no exercise "${e.do}"`);
}

/** Waits for e.progress notifications; once they are there it does e.then, without which some tools don't end. */
async function call(client, sdk, heard, e) {
  const params = { name: e.tool, arguments: e.arguments };
  if (!e.progress) return sdk.call(client, params, {});
  const progress = [];
  let enough;
  const all = new Promise((resolve) => (enough = resolve));
  const onprogress = ({ progress: n, total }) => progress.push([n, total]) === e.progress && enough();
  const then = all.then(() => e.then && run(client, sdk, heard, e.then));
  const [result] = await Promise.all([sdk.call(client, params, { onprogress }), then]);
  return { progress: progress.slice(0, e.progress), result };
}

/** Cancels a call once its first progress has come, then does e.then. */
async function cancel(client, sdk, heard, e) {
  const stop = new AbortController();
  const cancelled = await sdk
    .call(client, { name: e.tool, arguments: e.arguments }, { signal: stop.signal, onprogress: () => stop.abort() })
    .then(() => false, () => stop.signal.aborted);
  return { cancelled, then: await run(client, sdk, heard, e.then) };
}

/** Makes e.count calls at once, each with its own number for $i. */
function concurrent(client, sdk, heard, e) {
  const one = (i) => ({ ...e, arguments: JSON.parse(JSON.stringify(e.arguments).replaceAll("$i", i)) });
  return Promise.all(Array.from({ length: e.count }, (_, i) => call(client, sdk, heard, one(i))));
}

async function log(client, sdk, heard, e) {
  const meta = await sdk.setLevel(client, e.level);
  const result = await sdk.call(client, { name: e.then.tool, arguments: e.then.arguments, ...meta }, {});
  const about = (m) => JSON.stringify(m.data).includes(e.value);
  return { result, logs: await heard.until("logs", e.logs, about) };
}
