import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Contestant, type Purpose, purposes } from "./size-contestants.js";
import { programs } from "./size-places.js";

export interface BundleSize {
  readonly minified: number;
  /** By gzip, at its best. */
  readonly compressed: number;
}

/** A program of a contestant, and where its bundle goes. */
export interface Task {
  readonly contestant: Contestant;
  readonly purpose: Purpose | "variant";
  readonly input: string;
  readonly output: string;
}

const fileOf: Record<Purpose, string> = {
  "stdio server": "stdio",
  "HTTP server": "http",
  client: "client",
};

export function tasksOf(contestants: readonly Contestant[], folder: string): Task[] {
  return contestants.flatMap((contestant) =>
    purposes
      .filter((purpose) => contestant.packages[purpose])
      .map((purpose) => taskOf(contestant, fileOf[purpose], purpose, folder)),
  );
}

export function taskOf(
  contestant: Contestant,
  file: string,
  purpose: Task["purpose"],
  folder: string,
): Task {
  const input = join(programs, contestant.folder, `${file}.mjs`);
  if (!existsSync(input)) throw new Error(`There is no ${input}`);
  const name = contestant.name.replaceAll(" ", "-");
  return { contestant, purpose, input, output: join(folder, name, `${file}.mjs`) };
}

/** Bundles all of them in one process of their own. */
export async function bundle(tasks: readonly Task[]): Promise<BundleSize[]> {
  const given = tasks.map(({ contestant: { revision }, input, output }) => {
    const alias = revision && {
      "@mcp-codegen/revision": `@mcp-codegen/${revision}`,
      "@mcp-codegen/universal/revision": `@mcp-codegen/universal/${revision}`,
    };
    return { input, output, ...(alias && { alias }) };
  });
  const args = [join(programs, "bundle.mjs"), JSON.stringify(given)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as BundleSize[];
}
