import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import type { ContractValidators } from "@mcp-codegen/contract";
import type { Issue } from "../../runtime/wire/index.js";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { emitContract } from "../../runtime/contract/emit/emit-contract.js";
import { lockServer } from "../../runtime/contract/lock/lock-server.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import type { ContractProject } from "./generated-code.js";

type Schema = Record<string, unknown>;

/**
 * Generates the code for schemas and returns its validators by index; undefined for a schema that is left to
 * `jsonSchemas()`.
 */
export async function generatedValidators(
  project: ContractProject,
  schemas: readonly Schema[],
  folder = "client",
): Promise<readonly ContractValidators[string]["inputSchema"][]> {
  const tools = schemas.map((schema, index) => ({
    name: `t${index}`,
    inputSchema: { type: "object" },
    outputSchema: schema,
  }));
  const reading = { tools, prompts: [], resources: [], resourceTemplates: [] };
  const diagnostics = new Diagnostics();
  const locked = lockServer(reading, { manifest: "m.json" }, "s", diagnostics)!;
  const files = await emitContract("client", "s", locked, "x", diagnostics);
  project.put(Object.fromEntries(files.map(({ path, text }) => [`src/${folder}/${path}`, text])));
  const { validators } = await project.load<{ validators: ContractValidators }>(
    `${folder}/validators.ts`,
  );
  return tools.map(({ name }) => validators[name]?.outputSchema);
}

/** Compares a generated validator with `jsonSchemas()` and Ajv. */
export class Verdicts {
  readonly #schema: Schema;
  readonly #validator: NonNullable<ContractValidators[string]["inputSchema"]>;
  readonly #check: (value: unknown) => readonly Issue[] | undefined;
  readonly #ajv: ValidateFunction;

  constructor(schema: Schema, validator: NonNullable<ContractValidators[string]["inputSchema"]>) {
    this.#schema = schema;
    this.#validator = validator;
    this.#check = jsonSchemas({ trust: "foreign" })(schema);
    this.#ajv = ajvOf(schema);
  }

  /** Requires the same verdict from all three, and a place of the error that the others report too. */
  compare(value: unknown): boolean {
    const trace: Issue[] = [];
    const fits = this.#validator(value, trace);
    const issues = this.#check(value);
    const shown = JSON.stringify({ schema: this.#schema, value, trace, issues }, undefined, 1);
    expect(fits, shown).toBe(issues === undefined);
    expect(this.#validator(value), shown).toBe(fits);
    // Ajv does not check members of this name.
    const ajv = shown.includes('"__proto__"') ? undefined : this.#ajv;
    if (ajv) expect(ajv(value), `Ajv: ${shown}`).toBe(fits);
    if (fits) return true;
    expect(trace.length, shown).toBeGreaterThan(0);
    const places = new Set(ajv ? ajv.errors!.map(placeOf) : issues!.map(({ path }) => path));
    for (const { path } of trace) expect([...places], `${path} ${shown}`).toContain(path);
    // Within alternatives, the generated validator may report a more precise place than the alternatives themselves.
    const others = issues!.map(({ path }) => path);
    const isKnown = trace.some(({ path }) =>
      others.some((other) => path === other || (this.#hasChoice && path.startsWith(`${other}/`))),
    );
    expect(isKnown, shown).toBe(true);
    return false;
  }

  get #hasChoice(): boolean {
    return /"(?:anyOf|oneOf)"|"type":\[/.test(JSON.stringify(this.#schema));
  }
}

function ajvOf(schema: Schema): ValidateFunction {
  const options = {
    strict: false,
    allErrors: true,
    logger: false,
    validateFormats: false,
    validateSchema: false,
  } as const;
  const { $schema, ...rest } = schema;
  const dialect = String($schema);
  const Class = /draft-0[67]/.test(dialect) ? Ajv : dialect.includes("2019") ? Ajv2019 : Ajv2020;
  return new Class(options).compile(forAjv(rest) as Schema);
}

/**
 * Returns a schema in a form that Ajv accepts: without an empty `enum`, which nothing matches, and without custom
 * keywords.
 */
function forAjv(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(forAjv);
  const { nullable, ...rest } = value as Schema;
  const members = typeof nullable === "boolean" ? rest : (value as Schema);
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) =>
      name === "enum" && Array.isArray(member) && member.length === 0
        ? ["not", {}]
        : [name, forAjv(member)],
    ),
  );
}

function placeOf({ instancePath, params, keyword }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const name =
    missingProperty ?? (keyword === "additionalProperties" ? additionalProperty : undefined);
  if (name === undefined) return instancePath;
  return `${instancePath}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
