import { type ChildProcess, spawn } from "node:child_process";
import { bench } from "../../core/places.js";
import { end, own } from "../../core/program.js";
import { smallCall } from "./cases.js";
import { type Kind, openingOf, paramsOf } from "./conversation.js";
import type { Answer } from "./pipeline.js";
import type { Server } from "./servers.js";

const NEWLINE = 10;
const PATIENCE = 30_000;

/** Measures the milliseconds from the start of a process without any preload to the end of its first answer. */
export async function coldStart({ name, launch }: Server, kind: Kind): Promise<number> {
  const [file, given, nodeArgs = []] = launch;
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, ...firstRequest(kind) });
  const env = { ...process.env, NODE_ENV: "production", ...given };
  const args = [...nodeArgs, `${bench}programs/${file}`];
  const start = performance.now();
  const child = own(spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] }));
  child.stdin.write(`${request}\n`);
  try {
    const line = await firstLine(child);
    const time = performance.now() - start;
    const { result } = JSON.parse(line) as Answer;
    if (result === undefined) throw new Error(`no result: ${line}`);
    return time;
  } catch (cause) {
    throw new Error(`${name}, ${kind}: ${(cause as Error).message}`, { cause });
  } finally {
    await end(child);
  }
}

/** Returns the request that a client sends first and waits for. */
function firstRequest(kind: Kind): { method: string; params: object } {
  if (kind === "session") return openingOf(kind);
  return { method: smallCall.method, params: paramsOf(kind, smallCall.params) };
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => reject(new Error("no answer")), PATIENCE);
    stdout!.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (!chunk.includes(NEWLINE)) return;
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString());
    });
    stdout!.on("close", () => {
      clearTimeout(timer);
      reject(new Error("ended without an answer"));
    });
  });
}
