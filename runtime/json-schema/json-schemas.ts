import type { SchemaCompiler } from "../features/index.js";
import type { StringTests } from "./assertions.js";
import {
  type Compile,
  copySchema,
  DEFAULT_SCHEMA_LIMITS,
  type Dialect,
  dialectOf,
  nativePattern,
  resolveReferences,
  SchemaError,
  type SchemaLimits,
  type Trust,
} from "./read/index.js";
import { evaluationOf } from "./evaluation.js";
import { linearMatcher, PatternError } from "./linear-pattern.js";
import { limitedCheck, type Run } from "./run.js";

export interface JsonSchemasOptions {
  /**
   * `foreign` for schemas that a peer sent: patterns are matched in linear time, patterns with back references are
   * refused, and the limits are lower. Default: `own`.
   */
  readonly trust?: Trust | undefined;
  /** The dialect of schemas that do not name one with `$schema`. Default: `2020-12`. */
  readonly dialect?: Dialect | undefined;
  /**
   * The treatment of `format`: `assert` requires strings to match a known format; `annotate` ignores it. Default:
   * `assert`.
   */
  readonly formats?: "assert" | "annotate" | undefined;
  readonly limits?: Partial<SchemaLimits> | undefined;
  /**
   * Receives the error for each `pattern` in a `foreign` schema that cannot be matched in linear time; all other
   * keywords are checked. The compiler throws the error instead if this option is missing. It always does so for
   * `patternProperties`, and for schemas in which a skipped pattern could make a valid value invalid, such as those
   * with `not`, `oneOf` or `if`.
   */
  readonly onunchecked?: ((error: SchemaError) => void) | undefined;
}

/**
 * Creates a compiler for JSON Schemas in the dialects draft-04 to 2020-12. It uses no `eval` and fetches nothing.
 *
 * @returns a compiler that throws a `SchemaError` if a schema is invalid, names an unknown dialect, is too large, or
 *   refers to something outside itself
 */
export function jsonSchemas(options: JsonSchemasOptions = {}): SchemaCompiler {
  const { trust = "own", formats = "assert", onunchecked } = options;
  const limits = { ...DEFAULT_SCHEMA_LIMITS[trust], ...options.limits };
  const checksFormats = formats === "assert";
  return (schema) => {
    const copied = copySchema(schema, dialectOf(schema, options.dialect), limits);
    const report = onunchecked && isMonotone(schema) ? onunchecked : undefined;
    const pattern: StringTests["pattern"] =
      trust === "own" ? nativePattern : (source, path) => linearPattern(source, path, report);
    const strings = { pattern, checksFormats };
    const check = evaluationOf(copied, resolveReferences(copied), strings);
    return limitedCheck(check, limits);
  };
}

const OWN: StringTests = { pattern: nativePattern, checksFormats: true };

export const compileOwn: Compile = (schema, targets, limits) =>
  limitedCheck(evaluationOf(schema, targets, OWN), limits);

function linearPattern(
  source: string,
  path: string,
  onunchecked: JsonSchemasOptions["onunchecked"],
): (text: string, run: Run) => boolean {
  nativePattern(source, path);
  try {
    const matches = linearMatcher(source);
    return (text, run) => matches(text, (steps) => run.spend(steps));
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const why = `${error.message}, so that matching it could take forever`;
    const refusal = new SchemaError(path, `the pattern of an untrusted schema is rejected: ${why}`);
    const isOfName = path.slice(0, path.lastIndexOf("/")).endsWith("/patternProperties");
    if (onunchecked === undefined || isOfName) throw refusal;
    onunchecked(refusal);
    return () => true;
  }
}

/**
 * Matches keywords by which a value can become invalid because a part of it is valid. It also matches properties with
 * these names, which only makes the check stricter.
 */
const INVERTING = /"(?:not|if|oneOf|maxContains|unevaluated(?:Items|Properties))":/;

/** True if leaving out one of the schema's keywords can never make a valid value invalid. */
function isMonotone(schema: object): boolean {
  return !INVERTING.test(JSON.stringify(schema));
}
