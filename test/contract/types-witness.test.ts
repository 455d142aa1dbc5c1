import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../cli/build.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { emitContract } from "../../runtime/contract/emit/emit-contract.js";
import { lockServer } from "../../runtime/contract/lock/lock-server.js";
import { ContractProject } from "./generated-code.js";

type Schema = Readonly<Record<string, unknown>>;

/** One schema for each form that tool schemas use. */
const FORMS: Readonly<Record<string, Schema>> = {
  "required and optional members": object({ a: { type: "string" }, b: { type: "number" } }, ["a"]),
  "a closed object": { ...object({ a: { type: "string" } }), additionalProperties: false },
  "a map": object({ map: { type: "object", additionalProperties: { type: "number" } } }),
  "an object of any members": object({ any: { type: "object" } }),
  "an untyped member": object({ a: {}, b: true }),
  "several types": object({ a: { type: ["integer", "null"] }, b: { type: ["string", "array"] } }),
  "an enumeration of mixed types": object({ a: { enum: ["x", 1, null, true] } }),
  "a constant": object({ a: { const: "x" }, b: { type: "number", const: 5 } }),
  "a list": object({ a: { type: "array", items: { type: "boolean" } }, b: { type: "array" } }),
  "a list that is not empty": object({
    a: { type: "array", items: { type: "string" }, minItems: 1 },
  }),
  alternatives: object({ a: { anyOf: [{ type: "string" }, object({ b: { type: "null" } })] } }),
  "exclusive alternatives": object({ a: { oneOf: [{ type: "string" }, { type: "number" }] } }),
  "discriminated alternatives": object({
    a: {
      oneOf: [
        object({ kind: { const: "x" }, x: { type: "string" } }, ["kind", "x"]),
        object({ kind: { const: "y" }, y: { type: "number" } }, ["kind"]),
      ],
    },
  }),
  "the parts of an allOf": {
    type: "object",
    allOf: [object({ a: { type: "string" } }, ["a"]), object({ b: { type: "string" } })],
  },
  "a reference": {
    ...object({ a: { $ref: "#/$defs/Size" } }),
    $defs: { Size: { enum: ["small", "large"] } },
  },
  "a definition that refers to itself": {
    ...object({ root: { $ref: "#/$defs/Node" } }, ["root"]),
    $defs: {
      Node: object(
        { value: { type: "number" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
        ["value"],
      ),
    },
  },
  "names that are no identifiers": object({ "a-b": { type: "string" }, "1": {}, class: {} }),
  "bounds, formats and comments": object({
    a: { type: "string", minLength: 1, format: "email", description: "Ends no comment: */" },
    b: { type: "integer", minimum: 0, default: 3, deprecated: true },
  }),
};

function object(properties: object, required?: readonly string[]): Schema {
  return { type: "object", properties, ...(required && { required }) };
}

/** The forms whose types differ on purpose, each with the reason. */
const DIFFERENCES: Readonly<Record<string, { readonly schema: Schema; readonly reason: string }>> =
  {
    "no members": {
      reason:
        "Arguments of an open object may be anything; the library types them as an empty object.",
      schema: { type: "object" },
    },
    "a tuple": {
      reason: "The library does not read prefixItems, and types the member as a list of anything.",
      schema: object({ a: { type: "array", prefixItems: [{ type: "number" }], minItems: 1 } }),
    },
    "a limited list": {
      reason: "The library types a list of at most two items as a tuple; ours states the limit.",
      schema: object({ a: { type: "array", items: { type: "string" }, maxItems: 2 } }),
    },
  };

/** The tool schemas of published servers, without names and texts. */
const PUBLISHED = JSON.parse(
  readFileSync(join(root, "test/fixtures/contract/published-shapes.json"), "utf8"),
) as readonly Schema[];

/** The reasons why the types of published schemas differ, by a pattern that their JSON matches. */
const PUBLISHED_DIFFERENCES: Readonly<Record<string, RegExp>> = {
  "an open object may contain anything": /^(?!.*"properties":\{"\w)/,
  "the keyword nullable is of OpenAPI, and JSON Schema does not know it": /"nullable":true/,
  "the library types lists of two or more, or of a limited number, as tuples":
    /"(?:minItems":[2-9]|maxItems":)/,
  "a list of nothing that must not be empty cannot exist; ours is an empty list": /"enum":\[\]/,
};

/** Translates the schema into the library's dialect, which reads only `definitions`. */
function translated(schema: Schema): JSONSchema {
  const text = JSON.stringify(schema).replaceAll("#/$defs/", "#/definitions/");
  return JSON.parse(text.replaceAll('"$defs":', '"definitions":')) as JSONSchema;
}

/** Returns the indexes of the schemas whose two types are not assignable to each other. */
async function differing(project: ContractProject, schemas: readonly Schema[]): Promise<number[]> {
  const tools = schemas.map((schema, index) => ({ name: `t${index}`, inputSchema: schema }));
  const diagnostics = new Diagnostics();
  const reading = { tools, prompts: [], resources: [], resourceTemplates: [] };
  const locked = lockServer(reading, { manifest: "m.json" }, "s", diagnostics)!;
  const files = await emitContract("client", "s", locked, "x", diagnostics);
  const witnesses = await Promise.all(
    schemas.map(async (schema, index) => {
      const options = { bannerComment: "", additionalProperties: false };
      const text = await compile(translated(schema), "Witness", options);
      return [`src/witness-${index}.ts`, text] as const;
    }),
  );
  const types = files.find(({ path }) => path === "types.ts")!.text;
  const lines = schemas.map(
    (_, index) =>
      `export const same${index}: Same<ours.T${index}Arguments, import("./witness-${index}.js").Witness> = true;`,
  );
  project.put({
    ...Object.fromEntries(witnesses),
    "src/types.ts": types,
    "src/check.ts": [
      'import type * as ours from "./types.js";',
      "type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;",
      ...lines,
    ].join("\n"),
  });
  const errors = await project.compile();
  const found = [...errors.matchAll(/check\.ts\((\d+),\d+\): error TS2322/g)];
  expect(errors.split("\n").filter((line) => /error/.test(line))).toHaveLength(found.length);
  return found.map(([, line]) => Number(line) - 3);
}

describe("types of tool schemas, and those of json-schema-to-typescript", () => {
  const forms = Object.entries(FORMS);
  const differences = Object.entries(DIFFERENCES).map(
    ([name, { schema }]) => [name, schema] as const,
  );
  let names: Set<string>;
  let shapes: string[];
  beforeAll(async () => {
    using project = new ContractProject();
    const named = [...forms, ...differences];
    const schemas = [...named.map(([, schema]) => schema), ...PUBLISHED];
    const found = await differing(project, schemas);
    names = new Set(found.flatMap((index) => named[index]?.[0] ?? []));
    shapes = found
      .filter((index) => index >= named.length)
      .map((index) => JSON.stringify(schemas[index]));
  }, 120_000);

  it("are assignable to each other in every form", () => {
    expect(forms.map(([name]) => name).filter((name) => names.has(name))).toEqual([]);
  });

  it("differ only where a reason is recorded", () => {
    expect(names).toEqual(new Set(differences.map(([name]) => name)));
  });

  it("are assignable to each other for published tools, but for recorded reasons", () => {
    const reasons = Object.values(PUBLISHED_DIFFERENCES);
    expect(shapes.filter((text) => !reasons.some((reason) => reason.test(text)))).toEqual([]);
    expect(reasons.filter((reason) => !shapes.some((text) => reason.test(text)))).toEqual([]);
    expect(PUBLISHED.length - shapes.length).toBeGreaterThan(350);
  });
});
