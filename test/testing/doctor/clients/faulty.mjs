// A client on its standard input and output that writes JSON-RPC by hand, with the fault that its argument names.
import { createInterface } from "node:readline";
import * as stream from "node:stream";
import { faults } from "./faults.mjs";
import { moreFaults } from "./more-faults.mjs";

const fault = { ...faults, ...moreFaults }[process.argv[2] ?? "none"];
if (fault === undefined) throw new Error(`There is no fault ${process.argv[2]}`);

const version = fault.version ?? "2025-11-25";
const write = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

let next = fault.firstId ?? 1;
let isOpen = false;
const waiting = new Map();
const request = (method, params, id = next++) => {
  write({ id, method, ...(params && { params }) });
  fault.sent?.({ id, method, isWaiting: () => waiting.has(id) }, { write, request });
  return new Promise((resolve) => waiting.set(id, resolve));
};

const answers = {
  ping: () => ({ result: {} }),
  "roots/list": () => ({ result: { roots: [{ uri: "file:///home/ada" }] } }),
  "elicitation/create": ({ mode }) =>
    mode === "url" && !fault.anyMode
      ? { error: { code: -32602, message: "The mode url is not supported" } }
      : { result: { action: "accept", ...(mode !== "url" && { content: { text: "yes" } }) } },
  ...fault.answers,
};

let leaving;
/** Reads each chunk as if no message and no character were in two. */
function chunks() {
  const { Readable } = stream;
  return Readable.from(
    (async function* () {
      let rest = "";
      for await (const chunk of process.stdin) {
        const text = rest + chunk.toString();
        const lines = text.split("\n");
        rest = fault.decodesChunks ? lines.pop() : "";
        for (const line of lines) if (isJson(line)) yield `${line}\n`;
      }
    })(),
  );
}
function isJson(line) {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

const input = fault.readsChunks || fault.decodesChunks ? chunks() : process.stdin;
createInterface({ input })
  .on("line", (line) => {
    leaving?.refresh();
    const received = JSON.parse(line);
    if (Array.isArray(received) && fault.dropsBatches) return;
    const messages = [received].flat();
    const failing = messages.filter(({ method }) =>
      method?.startsWith("mcp-codegen-doctor-nothing"),
    );
    if (fault.readsLast) handle(messages.at(-1));
    else
      for (const message of fault.answersFailure && failing[0] ? failing : messages)
        handle(message);
  })
  .on("close", () => process.exit(0));

function handle(message) {
  if (message.method === undefined || (fault.answersById && waiting.has(message.id))) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
    return;
  }
  fault.received?.(message, { write, request });
  if (message.id === undefined) return;
  if (fault.ignores?.(message, { isOpen, isBusy: waiting.size > 0 })) return;
  const answer = answers[message.method]?.(message.params) ?? {
    error: { code: -32601, message: "Method not found" },
  };
  const id = fault.idOf ? fault.idOf(message.id) : message.id;
  if (answer !== "silence") write({ id, ...answer });
}

const opening = {
  protocolVersion: version,
  capabilities: { roots: {}, elicitation: {}, ...fault.capabilities },
  clientInfo: { name: "faulty", version: "1.0.0" },
};

await fault.first?.({ write, request });
const answer = request("initialize", fault.opening ? fault.opening(opening) : opening);
await fault.meanwhile?.({ write, request });
const { result } = await answer;
if (result === undefined) await fault.refused?.({ write, request });
if (result === undefined && !fault.ignoresRefusal) process.exit(0);
const { protocolVersion: agreed = version, capabilities: served = {} } = result ?? {};
if (agreed !== version && !fault.anyVersion && !(fault.laterVersions && agreed > version))
  process.exit(0);
isOpen = true;
await fault.opened?.({ write, request });
if (!fault.quiet) write({ method: "notifications/initialized" });
await (fault.work ?? work)({ write, request });
if (fault.leavesAfter) leaving = setTimeout(() => process.exit(0), fault.leavesAfter);

async function work() {
  const { result: page } = await request("tools/list");
  if (!fault.onePage && page.nextCursor !== undefined) {
    await request("tools/list", {
      cursor: fault.cursor ? fault.cursor(page.nextCursor) : page.nextCursor,
    });
  }
  await request("tools/call", fault.call ?? { name: "echo", arguments: { text: "hello" } });
  await fault.after?.({ write, request, capabilities: served });
}
