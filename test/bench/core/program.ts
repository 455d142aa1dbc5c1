import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bench } from "./places.js";

/** The time in milliseconds after which a program is stopped. */
const PATIENCE = 60_000;

const running = new Set<ChildProcess>();

/** Makes a child end with this process, however busy the child is. */
export function own<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  return child.once("exit", () => running.delete(child));
}

/** Ends all owned children when the benchmark ends or is stopped. Call it only once. */
export function endChildrenAtExit(): void {
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
}

/** Kills a child and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** A process's resource usage since its start. */
export interface Usage {
  /** User and system time of all threads, in microseconds. */
  readonly cpu: number;
  /** Heap size in bytes, measured after a garbage collection if the program runs with `--expose-gc`. */
  readonly heap: number;
  /** The memory that the process occupies, in bytes. */
  readonly resident: number;
}

/** The arguments for a `Program`. */
export type Launch = ConstructorParameters<typeof Program>;

/** A contestant in a process of its own. It reports its usage over IPC and ends with this process. */
export class Program {
  readonly child: ChildProcess;
  readonly #file: string;
  /** The tail of its stderr, to be shown in errors. */
  #complaints = "";
  #isEnded = false;

  /** @param file - below `test/bench/programs`, such as `stdio/limit.mjs` */
  constructor(file: string, env: Record<string, string> = {}, nodeArgs: readonly string[] = []) {
    this.#file = file;
    const preload = new URL("../../core/usage.mjs", import.meta.url).href;
    const args = ["--import", preload, ...nodeArgs, `${bench}programs/${file}`];
    const childEnv = { ...process.env, NODE_ENV: "production", ...env };
    const stdio = ["pipe", "pipe", "pipe", "ipc"] as const;
    this.child = own(spawn(process.execPath, args, { env: childEnv, stdio: [...stdio] }));
    this.child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4000);
    });
    this.child.once("close", () => (this.#isEnded = true));
  }

  /** Runs `work` with a new program and ends it; an error names the program and quotes its stderr. */
  static async use<T>(
    [file, env, nodeArgs]: Launch,
    work: (program: Program) => Promise<T>,
  ): Promise<T> {
    const program = new Program(file, env, nodeArgs);
    const watchdog = setTimeout(() => void program.end(), PATIENCE);
    try {
      return await work(program);
    } catch (cause) {
      const complaints = program.#complaints.trim();
      const what = `${file} ${JSON.stringify(env ?? {})}: ${(cause as Error).message}`;
      throw new Error(complaints === "" ? what : `${what}\n${complaints}`, { cause });
    } finally {
      clearTimeout(watchdog);
      await program.end();
    }
  }

  /** Waits for the next message of the program itself: an HTTP server sends its port. */
  said<T>(): Promise<T> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const settle = () => {
        child.off("message", onMessage).off("close", ended);
      };
      const onMessage = (message: unknown) => {
        settle();
        resolve(message as T);
      };
      const ended = () => {
        settle();
        reject(new Error(`${this.#file} ended early: ${child.signalCode ?? child.exitCode}`));
      };
      child.on("message", onMessage).on("close", ended);
      if (this.#isEnded) ended();
    });
  }

  async usage(): Promise<Usage> {
    const answer = this.said<Usage>();
    if (this.child.connected) this.child.send("usage");
    return answer;
  }

  end(): Promise<void> {
    return end(this.child);
  }
}
