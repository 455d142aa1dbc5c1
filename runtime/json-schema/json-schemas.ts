import {
  type OutputUnit,
  type Schema,
  validate,
  type ValidationResult,
} from "@cfworker/json-schema";
import type { SchemaCheck, SchemaCompiler } from "../features/index.js";
import { type CopiedSchema, copySchema } from "./copy-schema.js";
import { type Dialect, dialectOf, DRAFTS } from "./dialects.js";
import { checkPattern, Guards } from "./guards.js";
import { isManageable } from "./is-manageable.js";
import {
  DEFAULT_SCHEMA_LIMITS,
  MAX_LEVELS,
  MAX_MEMBERS,
  type SchemaLimits,
  type Trust,
} from "./limits.js";
import { isNode, token } from "./node.js";
import { quickCheck } from "./quick-check.js";
import { resolveReferences } from "./references.js";
import { type EvaluationResult, issueAt, schemaIssues } from "./schema-issues.js";
import { UniqueItems } from "./unique-items.js";
import { TooMuchWork, Work } from "./work.js";

/** Finding all problems takes longer than finding one: it is given up after so many subschemas. */
const WORK_ON_ISSUES = 20_000;

const MANAGEABLE = `at most ${MAX_LEVELS} levels of arrays and objects, of at most ${MAX_MEMBERS} members`;

export interface JsonSchemasOptions {
  /**
   * `foreign` for schemas that a peer sent: patterns that could take for ever are refused, the strings that others
   * are matched with are limited, and the limits are lower. Default: `own`.
   */
  readonly trust?: Trust | undefined;
  /** Dialect of schemas that do not name one with `$schema`. Default: `2020-12`. */
  readonly dialect?: Dialect | undefined;
  /**
   * Use of `format`: `assert` requires strings to match a known format, `annotate` ignores it.
   * Default: `assert`.
   */
  readonly formats?: "assert" | "annotate" | undefined;
  readonly limits?: Partial<SchemaLimits> | undefined;
}

/**
 * Makes checks of JSON Schemas of the dialects draft-04 to 2020-12, without `eval`. Nothing is ever fetched.
 *
 * @returns a compiler that throws a `SchemaError` for what is no valid schema, names an unknown dialect, is too large,
 *   or refers to what is not in it
 */
export function jsonSchemas(options: JsonSchemasOptions = {}): SchemaCompiler {
  const { trust = "own", dialect, formats = "assert" } = options;
  const limits = { ...DEFAULT_SCHEMA_LIMITS[trust], ...options.limits };
  return (schema) => {
    const used = dialectOf(schema, dialect);
    const copied = copySchema(schema, used, limits);
    const fits = options.limits ? undefined : quickCheck(copied.root);
    const { check } = new Evaluation(copied, used, limits).guarded(formats, trust);
    return fits ? (value) => (fits(value) ? undefined : check(value)) : check;
  };
}

/** A schema, ready to be applied to values. */
class Evaluation {
  readonly #dialect: Dialect;
  readonly #work: Work;
  readonly #schema: EvaluationResult;
  readonly #copied: CopiedSchema;
  readonly #guards: Guards;
  #items: UniqueItems | undefined;

  constructor(copied: CopiedSchema, dialect: Dialect, limits: SchemaLimits) {
    this.#dialect = dialect;
    this.#work = new Work(limits);
    this.#copied = copied;
    this.#guards = new Guards(() => this.#items?.isRepetitive() ?? false);
    const { refusals } = this.#guards;
    this.#schema = { root: copied.root, lookup: resolveReferences(copied), refusals };
  }

  guarded(formats: "assert" | "annotate", trust: Trust): this {
    for (const [node, path] of this.#copied.nodes) {
      checkPatterns(node, path);
      this.#guards.apply(node, formats);
      if (trust === "foreign") this.#guards.limitPatterns(node, path);
      this.#work.count(node);
    }
    return this;
  }

  readonly check: SchemaCheck = (value) => {
    if (!isManageable(value)) return issueAt("", MANAGEABLE, value);
    this.#work.begin();
    try {
      if (this.#guards.hasUniqueItems) this.#items = new UniqueItems(this.#work);
      const watched = this.#items ? this.#items.watch(value) : value;
      const { valid, errors } = this.#run(watched, true);
      if (valid) return undefined;
      return schemaIssues(this.#schema, value, this.#allErrors(watched) ?? errors, this.#work);
    } catch (error) {
      const isCostly = error instanceof TooMuchWork || error instanceof RangeError;
      const expected = isCostly ? "a value that can be checked with reasonable effort" : "JSON";
      return issueAt("", expected, value);
    } finally {
      this.#items = undefined;
    }
  };

  /** Further errors besides the first one, unless they take too long to find. */
  #allErrors(value: unknown): readonly OutputUnit[] | undefined {
    this.#work.limit(WORK_ON_ISSUES);
    try {
      return this.#run(value, false).errors;
    } catch {
      return undefined;
    }
  }

  #run(value: unknown, stopsEarly: boolean): ValidationResult {
    const { root, lookup } = this.#schema;
    return validate(value, root as Schema | boolean, DRAFTS[this.#dialect], lookup, stopsEarly);
  }
}

function checkPatterns(node: Record<string, unknown>, path: string): void {
  const { pattern, patternProperties } = node;
  if (typeof pattern === "string") checkPattern(pattern, `${path}/pattern`);
  if (!isNode(patternProperties)) return;
  for (const name of Object.keys(patternProperties)) {
    checkPattern(name, `${path}/patternProperties${token(name)}`);
  }
}
