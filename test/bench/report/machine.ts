import { readFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { bench } from "../core/places.js";

/** The environment of a run. The figures of two runs are comparable only if it is the same. */
export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly system: string;
  readonly cpu: string;
  readonly cores: number;
  /** Memory in GiB. */
  readonly memory: number;
  /** The installed versions, by package. */
  readonly versions: Readonly<Record<string, string>>;
}

export function machine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory: Math.round((totalmem() / 2 ** 30) * 10) / 10,
    versions: versions(),
  };
}

/** Returns the installed versions of the contestants and of the project. */
function versions(): Record<string, string> {
  const { dependencies } = manifest("package.json") as { dependencies: Record<string, string> };
  const peers = Object.keys(dependencies).map((name) => [name, versionOf(`node_modules/${name}`)]);
  return Object.fromEntries([["mcp-codegen", versionOf("../..")], ...peers]);
}

function versionOf(folder: string): string {
  return (manifest(`${folder}/package.json`) as { version: string }).version;
}

function manifest(path: string): unknown {
  return JSON.parse(readFileSync(`${bench}${path}`, "utf8"));
}
