// Records a long conversation and checks its tape, both with a small heap, and prints the memory used. Requires built
// packages.
// Usage: node test/testing/long-tape.mjs [megabytes, default 1000]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The maximum heap size of each program, in megabytes. */
const HEAP = 48;
/** The number of characters in a result. */
const LENGTH = 10_000;
const bin = join(import.meta.dirname, "../../generator/dist/cli/bin.js");

if (process.argv[2] === "serve") serve();
else process.exitCode = (await run(Number(process.argv[2] ?? 1000))) ? 0 : 1;

/** Runs a server with long results. */
function serve() {
  const opening = { protocolVersion: "2025-11-25", capabilities: { tools: {} } };
  const serverInfo = { name: "long", version: "1.0.0" };
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const content = [{ type: "text", text: String(id).padEnd(LENGTH, "ä") }];
    const result = method === "initialize" ? { ...opening, serverInfo } : { content };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  });
}

async function run(megabytes) {
  const folder = mkdtempSync(join(tmpdir(), "long-tape-"));
  const file = join(folder, "long.tape.jsonl");
  try {
    const server = ["--", process.execPath, import.meta.filename, "serve"];
    const recorder = start(["record", "--out", file, ...server]);
    recorder.stdout.resume();
    const send = async (message) => {
      const text = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
      if (!recorder.stdin.write(text)) await once(recorder.stdin, "drain");
    };
    const clientInfo = { name: "long", version: "1.0.0" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    await send({ id: "opening", method: "initialize", params });
    await once(recorder.stdout, "data");
    recorder.stdout.resume();
    await send({ method: "notifications/initialized" });
    const calls = Math.ceil((megabytes * 1e6) / (LENGTH * 2 + 300));
    for (let call = 1; call <= calls; call++) {
      const id = call % 2 === 0 ? call : `call-${call}`;
      await send({ id, method: "tools/call", params: { name: "long", arguments: { call } } });
    }
    recorder.stdin.end();
    const recorded = await end(recorder);
    const checker = start(["check-tape", file]);
    checker.stdout.pipe(process.stdout);
    checker.stdin.end();
    const checked = await end(checker);
    const size = Math.round(statSync(file).size / 1e6);
    console.log(`${size} MB: record took ${recorded.memory} MB, check-tape ${checked.memory} MB`);
    return recorded.code === 0 && checked.code === 0 && size >= megabytes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(words) {
  const flags = [`--max-old-space-size=${HEAP}`, bin, ...words];
  return spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"] });
}

/** Returns a program's exit code and, where Linux reports it, its largest resident memory in megabytes. */
async function end(child) {
  let memory = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(status) ?? [];
      memory = Math.max(memory, Math.round(Number(kilobytes ?? 0) / 1000));
    } catch {
      // The file does not exist.
    }
  }, 20);
  const [code] = await once(child, "close");
  clearInterval(timer);
  return { code, memory };
}
