import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostics } from "../diagnostics.js";
import { checkConfig, CONFIG_MEMBERS } from "./check-config.js";
import type { Config } from "./config.js";

/** A configuration and the folder that its paths are relative to. */
export interface LoadedConfig {
  readonly file: string;
  readonly folder: string;
  readonly config: Config;
}

const NAMES = ["js", "mjs", "json", "ts"].map((extension) => `mcp-codegen.config.${extension}`);

/**
 * Reads the named configuration file, or the one in the current folder.
 * JavaScript is imported afresh when the file has changed; TypeScript only where Node itself strips types.
 * @returns undefined when there is none, or when it is wrong, which the diagnostics then say.
 */
export async function loadConfig(
  named: string | undefined,
  diagnostics: Diagnostics,
): Promise<LoadedConfig | undefined> {
  const file = named ?? findConfig(diagnostics);
  if (file === undefined) return undefined;
  const refuse = (message: string, hint: string): undefined => {
    diagnostics.add({ code: "MCG0003", severity: "error", message, hint, file });
  };
  if (!existsSync(file)) return refuse("There is no such configuration file.", "Check --config.");
  if (extname(file) === ".ts" && !stripsTypes()) {
    return refuse(
      `Node ${process.versions.node} cannot load TypeScript without help; Node 22.18 or later can.`,
      "Name it .mjs, and keep the types with a comment: /** @type {import('mcp-codegen').Config} */",
    );
  }
  let value: unknown;
  try {
    value = await readValue(file);
  } catch (error) {
    return refuse(`The configuration cannot be loaded: ${firstLine(error)}`, "Correct the file.");
  }
  if (value === undefined) {
    return refuse(
      "The configuration has no default export.",
      "Write: export default { all: true };",
    );
  }
  const problems = checkConfig(value);
  problems.forEach((problem) => refuse(problem, `There are: ${CONFIG_MEMBERS.join(", ")}.`));
  if (problems.length > 0) return undefined;
  return { file, folder: dirname(file), config: value as Config };
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

async function readValue(file: string): Promise<unknown> {
  if (extname(file) === ".json") return JSON.parse(readFileSync(file, "utf8"));
  const url = pathToFileURL(resolve(file));
  url.search = `?changed=${statSync(file).mtimeMs}`;
  const module = (await import(url.href)) as { default?: unknown };
  return module.default;
}

function stripsTypes(): boolean {
  return (
    (process.features as { typescript?: unknown }).typescript !== undefined &&
    (process.features as { typescript?: unknown }).typescript !== false
  );
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0] ?? "";
}

/** A path of the configuration, as seen from the current folder. */
export function fromConfig({ folder }: LoadedConfig, path: string): string {
  return join(folder, path);
}
