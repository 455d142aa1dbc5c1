import { randomUUID } from "node:crypto";
import { open, readFile, readlink, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

/** The number of milliseconds after which any lock counts as abandoned, because no work under it takes that long. */
const STALE = 120_000;
/**
 * The number of milliseconds after which a lock without a readable owner counts as abandoned. The owner is written
 * right after the file is created.
 */
const STALE_WITHOUT_OWNER = 5_000;
const LONGEST_WAIT = 150_000;
const PAUSE = 25;

interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly machine: string;
}

/**
 * Runs work while no other process holds the lock. If the process that holds it has ended, even by `kill -9`, the lock
 * is taken over immediately, or after two minutes if that process was on a different machine.
 *
 * @param path - the path of the lock file; its folder must exist
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const owner = { id: randomUUID(), pid: process.pid, machine: await machine() };
  const text = JSON.stringify(owner);
  await acquire(path, text);
  try {
    return await work();
  } finally {
    if ((await contentOf(path)) === text) await rm(path, { force: true });
  }
}

async function acquire(path: string, text: string): Promise<void> {
  const latest = Date.now() + LONGEST_WAIT;
  while (!(await create(path, text))) {
    const held = await contentOf(path);
    if (held !== undefined && (await isStale(path, held))) await takeAway(path, held);
    if (Date.now() > latest)
      throw new Error(
        `Another process has held the lock ${path} for too long: delete the lock if no such process exists`,
      );
    await wait(PAUSE + Math.random() * PAUSE);
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(text).finally(() => file.close());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

async function isStale(path: string, held: string): Promise<boolean> {
  const owner = ownerIn(held);
  if (owner?.machine === (await machine()) && !isRunning(owner.pid)) return true;
  const found = await stat(path).catch(absent);
  const longest = owner === undefined ? STALE_WITHOUT_OWNER : STALE;
  return found !== undefined && Date.now() - found.mtimeMs > longest;
}

/**
 * Removes a dead owner's lock. Only one process at a time may check again and remove it, so that the next owner's
 * lock is never removed.
 */
async function takeAway(path: string, held: string): Promise<void> {
  const removal = `${path}.${ownerIn(held)?.id ?? "broken"}`;
  if (!(await create(removal, ""))) {
    const found = await stat(removal).catch(absent);
    if (found === undefined || Date.now() - found.mtimeMs < STALE) return;
  }
  try {
    if ((await contentOf(path)) === held) await rm(path, { force: true });
  } finally {
    await rm(removal, { force: true });
  }
}

/** @returns undefined if the owner has not written the file yet or never will */
function ownerIn(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Record<keyof Owner, unknown>>;
    const isNamed = typeof owner.id === "string" && /^[\da-f-]{36}$/.test(owner.id);
    const isOurs = isNamed && typeof owner.pid === "number" && typeof owner.machine === "string";
    return isOurs ? (owner as Owner) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the names of the machine and its process namespace, because containers may share a host name, and their
 * processes may have the same ids.
 */
async function machine(): Promise<string> {
  const space = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${hostname()} ${space}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(absent);
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
