import type { StandardSchemaV1, StandardSchemaWithJSON } from "../../shared/index.js";

/** A schema that does not provide its JSON Schema: one from zod 4.0 or 4.1, `zod/v4` in zod 3.25, or `zod/mini`. */
interface EarlyZod4Schema extends StandardSchemaV1 {
  readonly _zod: object;
  readonly shape?: Readonly<Record<string, unknown>>;
}

type ToJsonSchema = (
  schema: object,
  options: { readonly io: "input" | "output"; readonly target: string },
) => Record<string, unknown>;

/**
 * Adds a JSON Schema to an {@link EarlyZod4Schema}, or to each such schema in a record. Other values are returned
 * unchanged.
 */
export function withZod4JsonSchema(schema: unknown): unknown {
  if (isEarlyZod4(schema)) return standardSchema(schema);
  if (typeof schema !== "object" || schema === null || "~standard" in schema) return schema;
  const members = Object.entries(schema);
  if (!members.some(([, member]) => isEarlyZod4(member))) return schema;
  return Object.fromEntries(members.map(([name, member]) => [name, withZod4JsonSchema(member)]));
}

function isEarlyZod4(value: unknown): value is EarlyZod4Schema {
  if (typeof value !== "object" || value === null || !("_zod" in value)) return false;
  const standard = (value as Partial<EarlyZod4Schema>)["~standard"];
  return standard !== undefined && !("jsonSchema" in standard);
}

/**
 * Returns a schema's Standard Schema. Its `shape` property gives access to the functions that suggest values for
 * properties.
 */
function standardSchema(schema: EarlyZod4Schema): StandardSchemaWithJSON & { shape?: unknown } {
  const json = (io: "input" | "output") => () =>
    converter()(schema, { io, target: "draft-2020-12" });
  const jsonSchema = { input: json("input"), output: json("output") };
  const { version, vendor, validate } = schema["~standard"];
  return { shape: schema.shape, "~standard": { version, vendor, validate, jsonSchema } };
}

let known: ToJsonSchema | undefined;

/**
 * Returns the `toJSONSchema` function of the program's own zod. It is loaded when the first such schema is registered,
 * because programs without zod, or with a later version, must not depend on it.
 */
function converter(): ToJsonSchema {
  known ??= loaded();
  return known;
}

function loaded(): ToJsonSchema {
  const node = globalThis.process?.getBuiltinModule?.("node:module");
  try {
    const core = node!.createRequire(import.meta.url)("zod/v4/core") as {
      toJSONSchema: ToJsonSchema;
    };
    return core.toJSONSchema;
  } catch (cause) {
    throw new TypeError(
      "This zod schema cannot be converted to JSON Schema: use zod 4.2 or later",
      { cause },
    );
  }
}
