import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../cli/build.js";
import { ContractProject } from "./generated-code.js";
import { randomOf } from "../support/random.js";
import { mutate, randomSchema, valueOf } from "./random-schemas.js";
import { generatedValidators, Verdicts } from "./schema-validators.js";

type Schema = Record<string, unknown>;

/**
 * The schemas of about 1,300 published tools, without their words: names, texts and choices are replaced, and similar
 * schemas are omitted.
 */
const PUBLISHED = JSON.parse(
  readFileSync(join(root, "test/fixtures/contract/published-shapes.json"), "utf8"),
) as Schema[];

/** The number of values for each schema. */
const VALUES = 24;

interface Tally {
  covered: number;
  right: number;
  wrong: number;
}

/** Compares the verdicts on values that fit a schema or a slightly different one. */
async function compareAll(
  project: ContractProject,
  schemas: readonly Schema[],
  folder: string,
): Promise<Tally> {
  const random = randomOf(schemas.length);
  const validators = await generatedValidators(project, schemas, folder);
  const tally = { covered: 0, right: 0, wrong: 0 };
  for (const [index, schema] of schemas.entries()) {
    const validator = validators[index];
    if (!validator) continue;
    tally.covered += 1;
    const verdicts = new Verdicts(schema, validator);
    for (let times = 0; times < VALUES; times += 1) {
      const from = times % 2 === 0 ? schema : mutate(schema, random);
      tally[verdicts.compare(valueOf(from, random)) ? "right" : "wrong"] += 1;
    }
  }
  return tally;
}

/** Creates a schema that refers twice to the next one. */
const level = (index: number): Schema => ({
  anyOf: [1, 2].map((number) => ({
    type: "object",
    properties: { a: { $ref: `#/$defs/l${index + 1}` }, b: { const: number } },
  })),
});

describe("validators of generated contracts", () => {
  it("decide on values of random schemas in the same way as jsonSchemas() and Ajv, at the same places", async () => {
    using project = new ContractProject();
    const random = randomOf(17);
    const schemas = Array.from({ length: 1500 }, () => randomSchema(random, 3));
    const tally = { covered: 0, right: 0, wrong: 0 };
    for (let start = 0; start < schemas.length; start += 300) {
      const part = await compareAll(project, schemas.slice(start, start + 300), `random${start}`);
      for (const name of ["covered", "right", "wrong"] as const) tally[name] += part[name];
    }
    expect(await project.compile()).toBe("");
    expect(tally.covered).toBeGreaterThan(500);
    expect(Math.min(tally.right, tally.wrong)).toBeGreaterThan(3000);
  }, 120_000);

  it("decide the same on values of schemas of published servers, and cover most of these", async () => {
    using project = new ContractProject();
    const { covered, right, wrong } = await compareAll(project, PUBLISHED, "client");
    expect(await project.compile()).toBe("");
    expect(covered / PUBLISHED.length).toBeGreaterThan(0.8);
    expect(Math.min(right, wrong)).toBeGreaterThan(2000);
  }, 120_000);

  it.each<[string, Schema]>([
    ["a pattern", { type: "string", pattern: "^a" }],
    ["a checked format", { type: "string", format: "uuid" }],
    ["a tuple", { type: "array", prefixItems: [{}] }],
    ["unique items", { type: "array", uniqueItems: true }],
    ["a limit without a type", { minimum: 1 }],
    ["constraints on names", { type: "object", propertyNames: { maxLength: 3 } }],
    ["a limit that is not a number", { type: "number", exclusiveMinimum: 0 }],
    ["alternatives that may overlap", { oneOf: [{ type: "integer" }, { type: "number" }] }],
    ["a list of objects", { enum: [{ a: 1 }] }],
    ["an invalid number", JSON.parse('{ "enum": [1, 2], "const": 1 }') as Schema],
    ["a schema that contains itself", { type: "object", properties: { a: { $ref: "#" } } }],
    ["a schema with its own address", { $id: "https://a.example", type: "object" }],
    ["an old dialect", { $schema: "http://json-schema.org/draft-04/schema#", type: "object" }],
    ["a conditional", { type: "object", if: { required: ["a"] }, else: { required: ["b"] } }],
  ])("leave %s to jsonSchemas()", async (_, schema) => {
    using project = new ContractProject();
    const [covered, left] = await generatedValidators(project, [{ type: "object" }, schema]);
    expect(covered).toBeTypeOf("function");
    expect(left).toBeUndefined();
    const index = project.read("src/client/index.ts");
    expect(index).toContain('compile: jsonSchemas({ trust: "foreign" })');
  });

  it("need no schema compiler if all of them are covered", async () => {
    using project = new ContractProject();
    await generatedValidators(project, [{ type: "object", additionalProperties: false }]);
    expect(project.read("src/client/index.ts")).not.toContain("jsonSchemas");
  });

  it("stay small for a schema that refers to itself twice at each of many levels", async () => {
    using project = new ContractProject();
    const names = Array.from({ length: 60 }, (_, index) => [`l${index}`, level(index)] as const);
    const $defs = { ...Object.fromEntries(names), l60: { type: "string" } };
    // 2 to the power of 60 checks would never finish.
    const [left] = await generatedValidators(project, [{ $ref: "#/$defs/l0", $defs }]);
    expect(left).toBeUndefined();
  });

  it("read members as own properties, whatever their names", async () => {
    using project = new ContractProject();
    const names = ["__proto__", "constructor", "toString", "then", "a b", "*/", "`${1}`", "\u2028"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const schema = {
      type: "object",
      properties: JSON.parse(JSON.stringify(properties)) as object,
      required: names,
      additionalProperties: false,
    };
    const [validator] = await generatedValidators(project, [schema]);
    const verdicts = new Verdicts(schema, validator!);
    const whole = `{${names.map((name) => `${JSON.stringify(name)}:"x"`).join()}}`;
    expect(verdicts.compare(JSON.parse(whole))).toBe(true);
    expect(verdicts.compare({})).toBe(false);
    for (const name of names) {
      const wrong = whole.replace(`${JSON.stringify(name)}:"x"`, `${JSON.stringify(name)}:1`);
      expect(verdicts.compare(JSON.parse(wrong)), name).toBe(false);
    }
    expect(await project.compile()).toBe("");
  });
});
