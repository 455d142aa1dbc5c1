import { existsSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostics } from "../diagnostics.js";
import { MAX_BYTES } from "../load/limits.js";
import { readText } from "../load/read-bytes.js";
import { checkConfig, CONFIG_MEMBERS } from "./check-config.js";
import type { Config } from "./config.js";

/** A configuration, and the folder that its paths are relative to. */
export interface LoadedConfig {
  readonly file: string;
  readonly folder: string;
  readonly config: Config;
}

const NAMES = ["js", "mjs", "json", "ts"].map((extension) => `mcp-codegen.config.${extension}`);

/** The timeout, in milliseconds, for loading a configuration's module. */
const SETTLES_WITHIN = 10_000;

/**
 * Reads the named configuration file, or the one in the current folder. A JavaScript file is imported again if it has
 * changed.
 *
 * @param settlesWithin - the timeout, in milliseconds, for loading the module
 * @returns undefined if there is no file, or if the file is invalid, in which case the diagnostics say why
 */
export async function loadConfig(
  named: string | undefined,
  diagnostics: Diagnostics,
  settlesWithin: number = SETTLES_WITHIN,
): Promise<LoadedConfig | undefined> {
  const file = named ?? findConfig(diagnostics);
  if (file === undefined) return undefined;
  const refuse = (message: string, hint: string): undefined => {
    diagnostics.add({ code: "MCG0003", severity: "error", message, hint, file });
  };
  if (!existsSync(file)) return refuse("There is no such configuration file.", "Check --config.");
  if (extname(file) === ".ts" && !stripsTypes()) {
    return refuse(
      `Node ${process.versions.node} cannot load TypeScript; Node 22.18 or later can.`,
      "Name it .mjs, and keep the types with a comment: /** @type {import('mcp-codegen').Config} */",
    );
  }
  try {
    const value = await readValue(file, settlesWithin);
    if (value === undefined) {
      return refuse(
        "The configuration has no default export.",
        "Write: export default { all: true };",
      );
    }
    const problems = checkConfig(value);
    problems.forEach((problem) =>
      refuse(problem, `The members are: ${CONFIG_MEMBERS.join(", ")}.`),
    );
    if (problems.length > 0) return undefined;
    // The configuration is copied, so that no getter of the module runs later.
    return { file, folder: dirname(file), config: structuredClone(value) as Config };
  } catch (error) {
    return refuse(`The configuration cannot be loaded: ${firstLine(error)}`, "Correct the file.");
  }
}

function findConfig(diagnostics: Diagnostics): string | undefined {
  const found = NAMES.filter((name) => existsSync(name));
  if (found.length > 1) {
    diagnostics.add({
      code: "MCG0003",
      severity: "error",
      message: `There are several configuration files: ${found.join(", ")}.`,
      hint: "Keep one of them, or choose one with --config.",
    });
    return undefined;
  }
  return found[0];
}

async function readValue(file: string, settlesWithin: number): Promise<unknown> {
  // The file is read even if it is a module, because importing a device or a pipe would block.
  const text = readText(file, MAX_BYTES);
  if (extname(file) === ".json") return JSON.parse(text);
  const url = pathToFileURL(resolve(file));
  url.search = `?changed=${statSync(file).mtimeMs}`;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `its module did not load within ${settlesWithin / 1000} s.`;
    timer = setTimeout(() => reject(new Error(message)), settlesWithin);
  });
  try {
    const module = await Promise.race([import(url.href) as Promise<{ default?: unknown }>, late]);
    return module.default;
  } finally {
    clearTimeout(timer);
  }
}

function stripsTypes(): boolean {
  return (
    (process.features as { typescript?: unknown }).typescript !== undefined &&
    (process.features as { typescript?: unknown }).typescript !== false
  );
}

/** Returns the first line of a thrown value, even if reading the value throws. */
function firstLine(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return String(message).split("\n")[0] ?? "";
  } catch {
    return "it throws a value that cannot be shown.";
  }
}

export function fromConfig({ folder }: LoadedConfig, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
