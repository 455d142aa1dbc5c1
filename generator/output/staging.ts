import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  accessSync,
  constants,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join, dirname, resolve } from "node:path";

const NAME = /^\.mcp-codegen-staging-[0-9a-f]{16}$/;
/**
 * The age, in milliseconds, at which a staging folder is assumed to have been left behind by a killed run. A running
 * process needs its own folder only briefly.
 */
const ABANDONED_AFTER = 60_000;

/**
 * Creates a folder for temporary files, used only by this run, and removes those left behind by killed runs. It is
 * inside the output folder, because only that folder is certain to be writable and on the same file system.
 */
export function openStaging(folder: string): string {
  for (const name of readdirSync(folder)) {
    if (NAME.test(name)) removeAbandoned(join(folder, name));
  }
  const staging = join(folder, `.mcp-codegen-staging-${randomBytes(8).toString("hex")}`);
  mkdirSync(staging);
  return staging;
}

/** Removes a staging folder. If that fails, a later run removes it. */
export function closeStaging(staging: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
  } catch {
    return;
  }
}

function removeAbandoned(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() && Date.now() - stats.mtimeMs > ABANDONED_AFTER) {
    closeStaging(path);
  }
}

/**
 * Creates a folder and its missing parents. Unlike `mkdir` with `recursive`, it terminates on file systems such as
 * `/proc`, which report the parent of a new folder as missing although it exists.
 */
export function createFolder(path: string): void {
  const missing: string[] = [];
  let folder = resolve(path);
  while (statSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder) {
    missing.push(folder);
    folder = dirname(folder);
  }
  for (const next of missing.toReversed()) createOne(next);
}

/** Creates one folder, and tolerates another run creating it at the same time. */
function createOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Atomically replaces the text of an existing file, and keeps the file's permissions.
 *
 * @throws as `node:fs` does, in which case the file is unchanged
 */
export function rewrite(file: string, text: string): void {
  accessSync(file, constants.W_OK);
  const { mode } = statSync(file);
  const next = `${file}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode, flag: "wx" });
    renameSync(next, file);
  } catch (error) {
    try {
      unlinkSync(next);
    } catch {
      // The file was not created.
    }
    throw error;
  }
}
