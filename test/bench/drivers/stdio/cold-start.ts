import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { own } from "../../core/children.js";
import { type Case, smallCall } from "./cases.js";
import { type Era, eraOf, newest, openingOf, paramsOf, type Revision } from "./conversation.js";
import type { Answer } from "./pipeline.js";

const NEWLINE = 10;
const PATIENCE = 30_000;
const programs = fileURLToPath(new URL("../../../programs/", import.meta.url));

export interface Starter {
  readonly name: string;
  /** Below `programs`. */
  readonly file: string;
  readonly era: Era;
}

/** What a client sends first and has to wait for. */
export function firstRequest(revision: Revision): Pick<Case, "method" | "params"> {
  if (eraOf(revision) === "handshake") return openingOf(revision);
  return { method: smallCall.method, params: paramsOf(revision, smallCall.params) };
}

/** Milliseconds from the start of a process, without any preload, to the end of its first answer. */
export async function coldStart({ name, file, era }: Starter): Promise<number> {
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, ...firstRequest(newest[era]) });
  const env = { ...process.env, NODE_ENV: "production", ERA: era };
  const start = performance.now();
  const child = own(
    spawn(process.execPath, [`${programs}${file}`], { env, stdio: ["pipe", "pipe", "inherit"] }),
  );
  child.stdin.write(`${request}\n`);
  try {
    const line = await firstLine(child);
    const end = performance.now();
    const { result } = JSON.parse(line) as Answer;
    if (result === undefined) throw new Error(`no result: ${line}`);
    return end - start;
  } catch (cause) {
    throw new Error(`${name}, ${era}: ${(cause as Error).message}`, { cause });
  } finally {
    if (child.exitCode === null) {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    }
  }
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
