import { quote } from "../wire/index.js";
import { SchemaError } from "./schema-error.js";

/** Dialects in the order of publication. */
export const DIALECTS = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"] as const;

export type Dialect = (typeof DIALECTS)[number];

const DEFAULT: Dialect = "2020-12";

/** Name of a dialect in the library. */
type Draft = "4" | "7" | "2019-09" | "2020-12";

/** The name under which the library knows a dialect; in draft-06, draft-07 has nothing but additions. */
export const DRAFTS: Readonly<Record<Dialect, Draft>> = {
  "draft-04": "4",
  "draft-06": "7",
  "draft-07": "7",
  "2019-09": "2019-09",
  "2020-12": "2020-12",
};

const IDENTIFIER =
  /^https?:\/\/json-schema\.org\/(?:(draft-0[467])|draft\/(2019-09|2020-12))\/schema#?$/;

/**
 * The dialect that a schema names with `$schema`.
 * @throws SchemaError when it is unknown
 */
export function dialectOf(schema: object, fallback: Dialect = DEFAULT, path = ""): Dialect {
  if (!Object.hasOwn(schema, "$schema")) return fallback;
  const { $schema } = schema as { $schema?: unknown };
  const match = typeof $schema === "string" ? IDENTIFIER.exec($schema) : undefined;
  const dialect = match?.[1] ?? match?.[2];
  if (dialect !== undefined) return dialect as Dialect;
  const named = typeof $schema === "string" ? quote($schema) : "what $schema says";
  const known = DIALECTS.map((name) => `JSON Schema ${name}`).join(", ");
  throw new SchemaError(`${path}/$schema`, `${named} is not a known dialect: use one of ${known}`);
}

export function isBefore(dialect: Dialect, other: Dialect): boolean {
  return DIALECTS.indexOf(dialect) < DIALECTS.indexOf(other);
}
