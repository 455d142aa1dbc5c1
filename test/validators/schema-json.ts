import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv, type ValidateFunction } from "ajv";
import type { Definition } from "../fixtures/validators/disagreements.js";
import { hasStudy, studyFile } from "../support/official.js";

/** Returns true if the official JSON Schema is there. It does not belong to this repository. */
export function hasSchemaJson(revision: string): boolean {
  return hasStudy(`schema-json/${revision}.json`);
}

/** A revision's official JSON Schema as a validator, with some definitions corrected. */
export class SchemaJson {
  readonly #ajv: Ajv;
  readonly #section: "$defs" | "definitions";
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(
    revision: string,
    mends: readonly { type: string; mend: (definition: Definition) => void }[],
  ) {
    const schema = JSON.parse(
      readFileSync(studyFile(`schema-json/${revision}.json`), "utf8"),
    ) as Record<string, unknown>;
    this.#section = "$defs" in schema ? "$defs" : "definitions";
    const definitions = schema[this.#section] as Record<string, Definition>;
    for (const { type, mend } of mends) mend(definitions[type]!);
    const options = { strict: false, validateFormats: false, inlineRefs: false };
    this.#ajv = this.#section === "$defs" ? new Ajv2020(options) : new Ajv(options);
    this.#ajv.addSchema(schema, "mcp");
  }

  accepts(type: string, value: unknown): boolean {
    let validate = this.#compiled.get(type);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `mcp#/${this.#section}/${type}` });
      this.#compiled.set(type, validate);
    }
    return validate(value);
  }
}
