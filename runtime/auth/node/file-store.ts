import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AuthStore } from "../client/index.js";
import { withLock } from "./file-lock.js";

/** The number of milliseconds after which a temporary file is assumed to have been left behind by a killed process. */
const ABANDONED = 120_000;

export interface FileStoreOptions {
  /**
   * The folder for the files, which is created if it does not exist. Default: a folder in the platform's per-user data
   * directory.
   */
  readonly folder?: string;
}

/**
 * Stores registrations and tokens in files that only the user can read (mode 0600, in a folder with mode 0700). Several
 * processes may share a folder.
 */
export function fileStore({ folder = defaultFolder() }: FileStoreOptions = {}): AuthStore {
  return new FileStore(folder);
}

export function defaultFolder(): string {
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

  /** Replaces the file atomically, so that readers see either the old value or the new one. */
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
    const path = this.#path(key);
    await rm(path, { force: true });
    for (const name of (await readdir(this.#folder).catch(absent)) ?? []) {
      const other = join(this.#folder, name);
      if (other.startsWith(path) && name.endsWith(".tmp") && (await isAbandoned(other)))
        await rm(other, { force: true });
    }
  }

  async exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.#prepare();
    return withLock(`${this.#path(key)}.lock`, work);
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

async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(absent);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED;
}

function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
