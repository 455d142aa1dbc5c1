import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { bundledRevision } from "../../generator/bundled/bundled.js";
import { declarationsOf } from "../generator/schema.js";
import { revisions } from "../generator/bundled.js";
import { Workspace } from "./workspace.js";

const workspace = new Workspace();
afterAll(() => workspace.remove());

const EQUAL = `
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
`;

/** Replaces `string` in an open enumeration with `(string & {})`. Nothing else may differ. */
function withOpenEnums(schema: string): string {
  return schema.replace(/("[^"]+"\s*\|\s*)string\b/g, "$1(string & {})");
}

/** Creates one assertion per declaration: the generated type is equal to the schema's. */
function assertions(revision: string, schema: string): string {
  const names = declarationsOf(schema).map(({ name, kind }) =>
    kind === "const" ? `typeof A.${name}, typeof B.${name}` : `A.${name}, B.${name}`,
  );
  return [
    `import type * as A from "./schema.js";`,
    `import type * as B from "../${revision}/types.js";`,
    EQUAL,
    ...names.map((pair) => `true satisfies Equal<${pair}>;`),
  ].join("\n");
}

describe.each(revisions)("%s", (revision) => {
  it("has the types of its schema", async () => {
    const schema = readFileSync(bundledRevision(revision)!.schema, "utf8");
    const folder = `parity-${revision}`;
    workspace.add(folder, [
      { path: "schema.ts", text: withOpenEnums(schema) },
      { path: "parity.ts", text: assertions(revision, schema) },
    ]);
    expect(await workspace.compile("typescript", "nodenext", [`${folder}/*.ts`])).toEqual([]);
  });
});

it("the comparison would find a type that differs", async () => {
  const revision = revisions[0]!;
  const schema = readFileSync(bundledRevision(revision)!.schema, "utf8");
  const wrong = withOpenEnums(schema).replace("progressToken?:", "progressToken:");
  workspace.add("parity-wrong", [
    { path: "schema.ts", text: wrong },
    { path: "parity.ts", text: assertions(revision, schema) },
  ]);
  const errors = await workspace.compile("typescript", "nodenext", ["parity-wrong/*.ts"]);
  expect(errors.length).toBeGreaterThan(0);
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["TS1360"]));
});
