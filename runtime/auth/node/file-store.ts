import { createHash, randomUUID } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { AuthStore } from "../client/index.js";

/** Milliseconds after which a lock belongs to nobody: no work under it takes that long. */
const STALE = 120_000;
const LONGEST_WAIT = 150_000;
const PAUSE = 25;

export interface FileStoreOptions {
  /** Folder for the files, made if it is not there. Default: a folder of the user's, as the system has it. */
  readonly folder?: string;
}

/**
 * Keeps registrations and tokens in files that only the user can read (0600 in a folder of 0700). Several processes may
 * share a folder.
 */
export function fileStore({ folder = defaultFolder() }: FileStoreOptions = {}): AuthStore {
  return new FileStore(folder);
}

function defaultFolder(): string {
  const { LOCALAPPDATA, XDG_STATE_HOME } = process.env;
  if (process.platform === "win32") return join(LOCALAPPDATA ?? homedir(), "mcp-codegen", "auth");
  if (process.platform === "darwin")
    return join(homedir(), "Library/Application Support/mcp-codegen/auth");
  return join(XDG_STATE_HOME || join(homedir(), ".local/state"), "mcp-codegen/auth");
}

class FileStore implements AuthStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(key: string): Promise<string | undefined> {
    const text = await readFile(this.#path(key), "utf8").catch(absent);
    if (text === undefined) return undefined;
    try {
      const content = JSON.parse(text) as { key?: unknown; value?: unknown };
      return content.key === key && typeof content.value === "string" ? content.value : undefined;
    } catch {
      return undefined;
    }
  }

  /** Replaces the file in one step: a reader sees the old value or the new one. */
  async set(key: string, value: string): Promise<void> {
    await this.#prepare();
    const path = this.#path(key);
    const next = `${path}.${randomUUID()}.tmp`;
    try {
      await writeNew(next, JSON.stringify({ key, value }));
      await rename(next, path);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.#prepare();
    const lock = `${this.#path(key)}.lock`;
    const owner = randomUUID();
    await acquire(lock, owner);
    try {
      return await work();
    } finally {
      await release(lock, owner);
    }
  }

  async #prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await chmod(this.#folder, 0o700);
  }

  #path(key: string): string {
    return join(
      this.#folder,
      `${createHash("sha256").update(key).digest("hex").slice(0, 40)}.json`,
    );
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** @throws Error when another process holds it for too long */
async function acquire(lock: string, owner: string): Promise<void> {
  const latest = Date.now() + LONGEST_WAIT;
  for (;;) {
    try {
      return await writeNew(lock, owner);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (await isStale(lock)) await takeAway(lock);
    if (Date.now() > latest)
      throw new Error(
        `The lock ${lock} is held by another process for too long: delete it if there is none`,
      );
    await wait(PAUSE + Math.random() * PAUSE);
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(absent);
  return found !== undefined && Date.now() - found.mtimeMs > STALE;
}

/** Removes a lock that is stale; one that another process has made in the meantime is put back. */
async function takeAway(lock: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(absent);
  if ((await stat(aside).catch(absent)) !== undefined && !(await isStale(aside))) {
    await link(aside, lock).catch(() => {});
  }
  await rm(aside, { force: true });
}

async function release(lock: string, owner: string): Promise<void> {
  if ((await readFile(lock, "utf8").catch(absent)) === owner) await rm(lock, { force: true });
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
