import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bench } from "./places.js";

/** Milliseconds after which a program is stopped. */
const PATIENCE = 60_000;

const running = new Set<ChildProcess>();

/** Ends a child with this process, however busy the child is. */
export function own<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  return child.once("exit", () => running.delete(child));
}

/** Ends all owned children when the benchmark ends or is stopped. To be called once. */
export function endChildrenAtExit(): void {
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
  });
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
}

/** Kills a child and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** Usage of a process since its start. */
export interface Usage {
  /** User and system time of all threads, in microseconds. */
  readonly cpu: number;
  /** Bytes; after a garbage collection when the program runs with `--expose-gc`. */
  readonly heap: number;
  /** Bytes of memory that the process occupies. */
  readonly resident: number;
}

/** Arguments of a `Program`. */
export type Launch = ConstructorParameters<typeof Program>;

/**
 * Contestant in a process of its own, which reports its usage over IPC and ends with this process.
 */
export class Program {
  readonly child: ChildProcess;
  readonly #file: string;
  /** End of its stderr, for errors. */
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

  /** Next message of the program itself: an HTTP server sends its port. */
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
