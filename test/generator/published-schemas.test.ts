import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";

/** The published JSON Schemas, which an independent tool reads, to be compared with the types that the code uses. */
const published = [
  {
    schema: "schema/facts.schema.json",
    module: "generator/link/facts.js",
    type: "Facts",
    own: 'Omit<Facts, "origin">',
    parts: [
      "errorCodes",
      "capabilities",
      "conditions",
      "conventions",
      "headers",
      "nameHeaders",
      "paramHeaders",
      "official",
    ],
  },
  {
    schema: "schema/protocol.schema.json",
    module: "generator/link/protocol.js",
    type: "Protocol",
    own: "Protocol",
    parts: [
      "traits",
      "conventions",
      "envelope",
      "source",
      "methods",
      "errorCodes",
      "synthesized",
      "aggregates",
    ],
  },
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-witness-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function errorsOf(program: string): Promise<string> {
  writeFileSync(join(folder, "check.ts"), program);
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { typeRoots: [join(root, "node_modules/@types")] },
    include: ["."],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return (await run(process.execPath, [tsc, "-p", folder])).stdout;
}

describe.each(published)("published JSON Schemas", ({ schema, module, type, own, parts }) => {
  beforeAll(async () => {
    const text = JSON.parse(readFileSync(join(root, schema), "utf8")) as JSONSchema;
    const { $id: _, ...described } = text;
    const options = { bannerComment: "", exactOptionalPropertyTypes: true };
    const types = await compile({ ...described, title: "Witness" }, "Witness", options as object);
    writeFileSync(join(folder, "witness.ts"), types);
  });

  const program = (source: string, target: string) => `
    import type { ${type} } from ${JSON.stringify(join(root, module))};
    import type { Witness } from "./witness.js";
    type Plain<T> = T extends (...args: never) => unknown ? T
      : T extends readonly (infer E)[] ? Plain<E>[]
      : T extends object ? { -readonly [K in keyof T as K extends AnyJson ? never : K]: Plain<T[K]> } : T;
    /** Members that hold any JSON, for which the tool has a wider type. */
    type AnyJson = "declares";
    type Part = ${parts.map((part) => JSON.stringify(part)).join(" | ")};
    type Ours = Plain<Pick<${own}, Part>>;
    type Theirs = Plain<Pick<Witness, Part>>;
    declare const source: ${source};
    export const target: ${target} = source;
  `;

  it("accept everything that the code writes", async () => {
    expect(await errorsOf(program("Ours", "Theirs"))).toBe("");
  });

  it("accept nothing that the code cannot read", async () => {
    expect(await errorsOf(program("Theirs", "Ours"))).toBe("");
  });

  it("would fail this test if they were wrong", async () => {
    expect(await errorsOf(program("Ours", 'Omit<Theirs, never> & { surely: "not" }'))).toContain(
      "surely",
    );
  });
});
