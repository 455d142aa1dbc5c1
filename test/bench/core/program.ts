import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { own } from "./children.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What a process has used since its start. */
export interface Usage {
  /** User and system time of all threads, in microseconds. */
  readonly cpu: number;
  /** Bytes; after a collection of garbage where the program runs with `--expose-gc`. */
  readonly heap: number;
  /** Bytes: now, and at most so far. */
  readonly rss: number;
  readonly maxRss: number;
}

/** A contestant as a process of its own, which is asked over IPC what it used. It ends with this process. */
export class Program {
  readonly child: ChildProcess;
  readonly #file: string;
  /** The end of what it wrote to stderr, for errors. */
  #complaints = "";
  #isEnded = false;

  /** @param file below `test/bench`, such as `programs/stdio/limit.mjs` */
  constructor(file: string, env: Record<string, string> = {}, nodeArgs: readonly string[] = []) {
    this.#file = file;
    const preload = new URL("../../core/usage.mjs", import.meta.url).href;
    const args = ["--import", preload, ...nodeArgs, `${root}${file}`];
    const childEnv = { ...process.env, NODE_ENV: "production", ...env };
    const stdio = ["pipe", "pipe", "pipe", "ipc"] as const;
    this.child = own(spawn(process.execPath, args, { env: childEnv, stdio: [...stdio] }));
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4000);
    });
    this.child.once("close", () => (this.#isEnded = true));
  }

  /** An error that says which program it is about, and what that wrote to stderr. */
  error(what: string): Error {
    const complaints = this.#complaints.trim();
    return new Error(`${this.#file} ${what}${complaints === "" ? "" : `:\n${complaints}`}`);
  }

  /** The next message of the program itself: an HTTP server sends its port. */
  said<T>(): Promise<T> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const settle = () => {
        child.off("message", heard).off("close", ended);
      };
      const heard = (message: unknown) => {
        settle();
        resolve(message as T);
      };
      const ended = () => {
        settle();
        const how = child.signalCode ?? `code ${child.exitCode}`;
        reject(this.error(`ended with ${how} before it said what it was asked for`));
      };
      child.on("message", heard).on("close", ended);
      if (this.#isEnded) ended();
    });
  }

  async usage(): Promise<Usage> {
    const answer = this.said<Usage>();
    if (this.child.connected) this.child.send("usage");
    return answer;
  }

  async end(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }
}
