import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { studyFile } from "../../support/official.js";

interface Node {
  properties?: Record<string, Node>;
  additionalProperties?: unknown;
  [keyword: string]: unknown;
}

/** Schemas that people write in languages of their own, and objects that are open by convention. */
const OPEN = ["inputSchema", "outputSchema", "_meta", "capabilities"];

/** A revision's official JSON Schema, in which objects have only those members that it names. */
export class StrictSchemaJson {
  readonly #ajv: Ajv;
  readonly #section: "$defs" | "definitions";

  constructor(revision: string) {
    const schema = JSON.parse(
      readFileSync(studyFile(`schema-json/${revision}.json`), "utf8"),
    ) as Node;
    this.#section = "$defs" in schema ? "$defs" : "definitions";
    const definitions = schema[this.#section] as Record<string, Node>;
    const combined = new Set(combinedNames(definitions));
    for (const [name, definition] of Object.entries(definitions)) {
      if (!name.endsWith("Capabilities") && !combined.has(name)) close(definition);
    }
    const options = { strict: false, validateFormats: false };
    this.#ajv = this.#section === "$defs" ? new Ajv2020(options) : new Ajv(options);
    this.#ajv.addSchema(schema, "mcp");
  }

  issues(type: string, value: unknown): string[] {
    return this.#check({ $ref: `mcp#/${this.#section}/${type}` }, value);
  }

  /** @param type - type of the whole message; `_meta` may be sent wherever the base type has it */
  paramsIssues(type: string, params: unknown): string[] {
    const { _meta, ...rest } = (params ?? {}) as Record<string, unknown>;
    const part = `mcp#/${this.#section}/${type}/properties/params`;
    return this.#check({ $ref: part }, rest);
  }

  #check(schema: object, value: unknown): string[] {
    const validate: ValidateFunction = this.#ajv.compile(schema);
    validate(value);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

function close(node: Node): void {
  if (node.properties) {
    node.additionalProperties ??= false;
    for (const [name, member] of Object.entries(node.properties)) {
      if (!OPEN.includes(name)) close(member);
    }
  }
  for (const keyword of ["items", "additionalProperties"]) {
    const inner = node[keyword];
    if (typeof inner === "object" && inner !== null) close(inner as Node);
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    for (const inner of (node[keyword] as Node[] | undefined) ?? []) close(inner);
  }
}

/** Returns the names of definitions that are only one of several that apply to the same object. */
function combinedNames(definitions: Record<string, Node>): string[] {
  const text = JSON.stringify(definitions);
  return [...text.matchAll(/"allOf":\[(.*?)\]/g)].flatMap(([, refs]) =>
    [...refs!.matchAll(/\/(\w+)"/g)].map(([, name]) => name!),
  );
}
