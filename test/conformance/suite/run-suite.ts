import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../root.js";

const program = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const preload = new URL("preload.js", import.meta.url).href;
/** The time limit for one call of the suite, in milliseconds. Each scenario has its own limit. */
const TIMEOUT = 180_000;

/** The end of one run of the suite. */
export interface Ending {
  /** The exit code; null if the suite was killed. */
  readonly code: number | null;
  /** The combined output of both streams. */
  readonly output: string;
}

/** Calls the official suite as its command line would. */
export async function runSuite(parameters: readonly string[]): Promise<Ending> {
  const child = spawn(process.execPath, ["--import", preload, program, ...parameters], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => output.push(chunk));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  return { code, output: Buffer.concat(output).toString() };
}
