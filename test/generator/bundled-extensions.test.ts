import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BundledExtension,
  bundledExtension,
  bundledExtensions,
  bundledRevision,
} from "../../generator/bundled/bundled.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { generateExtension } from "../../generator/generate-extension.js";
import type { Facts } from "../../generator/link/facts.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { linkExtension } from "../../generator/link-extension.js";
import type { Protocol } from "../../generator/link/protocol.js";
import { load } from "../../generator/load/load.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { describeWith } from "../support/conditional.js";
import { OFFICIAL, officialSchema } from "../support/official.js";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";
import { protocolOf } from "./bundled-protocols.js";

const extensions = bundledExtensions();
const diagnostics = new Diagnostics();
const factsOf = (file: string): Facts => readFacts(readFileSync(file, "utf8"), file, diagnostics)!;

/** Links an extension with its facts. Throws if anything about it is reported. */
function linked({ id, facts, ...bundled }: BundledExtension, schema = bundled.schema): Protocol {
  const found = new Diagnostics();
  const text = readFileSync(bundledRevision(bundled.extends)!.schema, "utf8");
  const extended = { protocol: protocolOf(bundled.extends), text };
  const source = load(schema, found)!;
  const protocol = linkExtension({ source, id, facts: factsOf(facts), extended }, found);
  expect(found.items).toEqual([]);
  return protocol!;
}

async function generated(
  { id, facts, ...bundled }: BundledExtension,
  schema: string,
): Promise<readonly OutputFile[]> {
  const found = new Diagnostics();
  const revision = bundledRevision(bundled.extends)!;
  const base = { revision: bundled.extends, source: load(revision.schema, found)! };
  const input = {
    id,
    source: load(schema, found)!,
    facts: factsOf(facts),
    extended: { ...base, facts: factsOf(revision.facts!) },
  };
  const files = await generateExtension(input, found);
  expect(found.items).toEqual([]);
  return files!;
}

describe("bundled extensions", () => {
  it("are found by name and by id", () => {
    expect(extensions.map(({ name }) => name)).toEqual(["apps", "server-card", "skills", "tasks"]);
    for (const extension of extensions) {
      expect(bundledExtension(extension.name)).toEqual(extension);
      expect(bundledExtension(extension.id)).toEqual(extension);
    }
    expect(bundledExtension("nothing")).toBeUndefined();
  });

  it.each(extensions)("have the digests of the published file: $name", (extension) => {
    const { official } = factsOf(extension.facts);
    const { api, wire } = linked(extension).source;
    if (extension.name === "skills") expect(official).toBeUndefined();
    else expect({ api, wire }).toEqual({ api: official?.api, wire: official?.wire });
  });

  it.each(extensions)("document each type that is not only a result: $name", (extension) => {
    const own = linked(extension).declarations.filter(({ imported }) => !imported);
    const silent = own.filter(
      ({ kind, name, doc }) =>
        kind !== "const" && !doc?.text && !/(?:Result|Params|Request)$/.test(name),
    );
    expect(silent.map(({ name }) => name).filter((name) => name !== "ClientRequest")).toEqual([]);
  });

  it("refuse to extend a revision other than theirs", () => {
    const found = new Diagnostics();
    const { id, schema, facts } = bundledExtension("skills")!;
    const extended = { protocol: protocolOf("2025-11-25"), text: "" };
    linkExtension({ source: load(schema, found)!, id, facts: factsOf(facts), extended }, found);
    expect(found.items.map(({ code }) => code)).toContain("MCG2017");
    const other = new Diagnostics();
    const source = { ...load(schema, other)!, text: "export interface Shelf { size: number }" };
    linkExtension({ source, id, facts: factsOf(facts), extended }, other);
    expect(other.items.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "MCG3061 The facts are about an extension of 2026-07-28, but this schema is an extension of 2025-11-25.",
    ]);
  });
});

const published = extensions.filter(({ name }) => officialSchema(`ext-${name}`) !== undefined);

describeWith(published.length > 0, OFFICIAL, "the published files of extensions", () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "mcp-codegen-published-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(published)("match the recorded one: $name", (extension) => {
    const { sha256, api, wire } = linked(extension, officialSchema(`ext-${extension.name}`)).source;
    expect(factsOf(extension.facts).official).toMatchObject({ sha256, api, wire });
  });

  it.each(published)("generate the committed code, which compiles: $name", async (extension) => {
    const files = await generated(extension, officialSchema(`ext-${extension.name}`)!);
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { typeRoots: [join(root, "node_modules/@types")], declaration: true },
      include: ["*.ts"],
      exclude: [],
    };
    const target = join(folder, extension.name);
    mkdirSync(target);
    symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
    for (const { path, text } of files)
      if (path.endsWith(".ts")) writeFileSync(join(target, path), text);
    writeFileSync(join(target, "package.json"), '{ "type": "module" }');
    writeFileSync(join(target, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect((await run(process.execPath, [tsc, "-p", target, "--noEmit"])).stdout).toBe("");
  });
});
