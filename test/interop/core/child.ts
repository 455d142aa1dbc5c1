import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { groupLives, killQuietly, type Scratch } from "./scratch.js";

const running = new Set<number>();

/** Ends all child processes when the run ends or is stopped. Call this only once. */
export function endChildrenAtExit(): void {
  process.on("exit", () => {
    for (const pid of running) killQuietly(-pid);
  });
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly stdout: string;
  /** Its last 2000 characters. */
  readonly stderr: string;
  readonly isTimedOut: boolean;
}

/** A child in its own process group, which ends together with everything that the child started. */
class Child {
  readonly process: ChildProcess;
  readonly #exit: Promise<unknown>;
  stdout = "";
  stderr = "";

  constructor({ file, args, env }: Program, scratch: Scratch) {
    this.process = spawn(file, args, {
      cwd: scratch.work,
      env: scratch.environment(env),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const { stdout, stderr, pid } = this.process;
    stdout!.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.stderr = (this.stderr + text).slice(-2000);
    });
    this.#exit = once(this.process, "exit").catch((error: Error) => (this.stderr = error.message));
    if (pid !== undefined) running.add(pid);
  }

  get isEnded(): boolean {
    const { exitCode, signalCode, pid } = this.process;
    return pid === undefined || exitCode !== null || signalCode !== null;
  }

  /** Resolves to true if it ended in time. */
  async ended(timeout: number): Promise<boolean> {
    const stop = new AbortController();
    const late = delay(timeout, false, { signal: stop.signal }).catch(() => false);
    const inTime = await Promise.race([this.#exit.then(() => true), late]);
    stop.abort();
    return inTime;
  }

  async end(): Promise<void> {
    const { pid, stdout, stderr } = this.process;
    if (pid !== undefined) {
      killQuietly(-pid);
      await this.#exit;
      // The system needs some time to end the group's other processes.
      const deadline = performance.now() + 5000;
      while (groupLives(pid) && performance.now() < deadline) await delay(10);
      running.delete(pid);
    }
    stdout?.destroy();
    stderr?.destroy();
  }
}

/** Runs a program until it ends or exceeds its timeout in milliseconds. */
export async function runProgram(
  program: Program,
  scratch: Scratch,
  timeout: number,
): Promise<Ended> {
  const child = new Child(program, scratch);
  const inTime = await child.ended(timeout);
  // Its last output may still be on the way.
  await delay(20);
  await child.end();
  return { stdout: child.stdout, stderr: child.stderr, isTimedOut: !inTime };
}

export interface Service {
  end(): Promise<void>;
}

/**
 * Starts a program that listens on a port of this machine.
 *
 * @throws Error if it ends, or does not listen in time
 */
export async function startService(
  program: Program,
  scratch: Scratch,
  port: number,
  timeout = 30_000,
): Promise<Service> {
  const child = new Child(program, scratch);
  const deadline = performance.now() + timeout;
  while (!(await listens(port))) {
    const problem = child.isEnded ? "ended" : performance.now() > deadline ? "does not listen" : "";
    if (problem === "") {
      await delay(100);
      continue;
    }
    await child.end();
    throw new Error(`${program.file} ${problem}: ${(child.stderr + child.stdout).slice(-300)}`);
  }
  return child;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect({ port, host: "localhost" });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
