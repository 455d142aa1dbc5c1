import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isSecretName } from "./masks.js";

export interface TapeFile {
  write(line: string): void;
  /** Resolves when the file can accept more data, so that memory use does not grow. */
  ready(): Promise<void>;
  /** Closes the file, and removes it if it contains only a head. */
  close(): Promise<void>;
}

/**
 * Opens a tape file for writing. `close` reports write errors.
 *
 * @throws an error with the code EEXIST if the file exists and `replace` is false
 */
export async function openTapeFile(path: string, replace = false): Promise<TapeFile> {
  const stream = createWriteStream(path, { flags: replace ? "w" : "wx", mode: 0o600 });
  await once(stream, "open");
  // The mode above does not apply to an existing file.
  if (replace) await chmod(path, 0o600);
  let isFull = false;
  let lines = 0;
  let failure: Error | undefined;
  stream.on("drain", () => (isFull = false));
  stream.on("error", (error) => (failure = error));
  return {
    write(line) {
      // A full disk must not end the conversation; `close` reports the error.
      if (failure === undefined) isFull = !stream.write(line);
      lines++;
    },
    async ready() {
      if (isFull && failure === undefined) await once(stream, "drain").catch(() => undefined);
    },
    async close() {
      if (failure !== undefined) throw failure;
      stream.end();
      await once(stream, "close");
      if (lines <= 1) await rm(path);
    },
  };
}

/** True if the file is in a Git repository and is not covered by an ignore rule. */
export function mayBeCommitted(path: string): boolean {
  const folder = dirname(resolve(path));
  if (!isInRepository(folder)) return false;
  const { status } = spawnSync("git", ["check-ignore", "--quiet", basename(path)], {
    cwd: folder,
    stdio: "ignore",
  });
  return status === 1;
}

function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (at === dirname(at)) return false;
  }
}

/** The minimum length of a masked value, in characters. */
const SHORTEST = 8;

export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST && isSecretName(name) ? [value] : [],
  );
}
