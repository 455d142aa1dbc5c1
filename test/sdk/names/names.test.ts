import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../support/pack.js";
import { run } from "../../support/run.js";
import {
  comparable,
  declaredNames,
  modulesOfVersion1,
  official,
  subpaths,
} from "./official-names.js";

interface Ledger {
  /** The names that our modules lack, each with the reason. */
  readonly names: Readonly<Record<string, string>>;
  /** The version 1 modules that this package lacks, each with the reason; a folder represents its modules. */
  readonly modules: Readonly<Record<string, string>>;
}

const ledger = JSON.parse(readFileSync(join(root, "test/sdk/names/ledger.json"), "utf8")) as Ledger;
const folder = join(root, "test/sdk/.programs/names");
const missing = new Set<string>();
const unexplained = (names: readonly string[]) => names.filter((name) => !(name in ledger.names));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("names that the modules of the official SDK export", () => {
  it.each(comparable)("%s has them all, or the ledger states the reason", async (subpath) => {
    const theirs = (await import(/* @vite-ignore */ official(subpath))) as object;
    const ours = (await import(/* @vite-ignore */ `@mcp-codegen/sdk/${subpath}`)) as object;
    const lacking = Object.keys(theirs).filter((name) => !(name in ours));
    for (const name of lacking) missing.add(name);
    expect(unexplained(lacking)).toEqual([]);
  });
});

describe("types that the modules of the official SDK export", () => {
  let output = "";
  let count = 0;
  beforeAll(async () => {
    const lines = comparable.flatMap((subpath, index) =>
      declaredNames(subpath).map(
        (name) =>
          `export type { ${name} as N${index}_${name} } from "@mcp-codegen/sdk/${subpath}";`,
      ),
    );
    count = lines.length;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "names.ts"), `${lines.join("\n")}\n`);
    const config = { extends: join(root, "tsconfig.json"), include: ["names.ts"], exclude: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    output = (await run(process.execPath, [tsc, "-p", folder, "--pretty", "false"])).stdout;
  });

  it("are all exported, or the ledger states the reason", () => {
    const found = output.matchAll(/has no exported member (?:named )?'(\w+)'/g);
    const lacking = [...new Set([...found].map(([, name]) => name!))];
    for (const name of lacking) missing.add(name);
    expect(count).toBeGreaterThan(500);
    expect(output).not.toContain("Cannot find module");
    expect(unexplained(lacking)).toEqual([]);
  });
});

describe("the ledger", () => {
  it("has no entry for an exported name", () => {
    expect(Object.keys(ledger.names).filter((name) => !missing.has(name))).toEqual([]);
  });

  it("explains every module of version 1 that this package lacks, and no other", () => {
    const known = Object.keys(ledger.modules);
    const entryOf = (path: string) =>
      known.find((entry) => (entry.endsWith("/") ? path.startsWith(entry) : path === entry));
    const lacking = modulesOfVersion1.filter((path) => !subpaths.includes(path));
    expect(lacking.filter((path) => entryOf(path) === undefined)).toEqual([]);
    const needed = new Set(lacking.map(entryOf));
    expect(known.filter((entry) => !needed.has(entry))).toEqual([]);
  });
});
