/** Limits of a schema, and of checking one value against it. */
export interface SchemaLimits {
  /** Levels of a schema. Default: 128. */
  readonly depth: number;
  /** Subschemas of a schema. Default: 10 000 for own schemas, 2 000 for foreign ones. */
  readonly subschemas: number;
  /** Values of all kinds that a schema consists of. Default: 200 000 for own schemas, 20 000 for foreign ones. */
  readonly values: number;
  /**
   * Subschemas that a check applies to parts of the value, counted each time; a value that needs more does not
   * fit. Default: 1 000 000 for own schemas, 200 000 for foreign ones.
   */
  readonly work: number;
  /** Milliseconds that a check may take, give or take the last step. Default: 500 for own schemas, 250 for foreign ones. */
  readonly time: number;
}

/** Levels of arrays and objects that a value may have. */
export const MAX_LEVELS = 256;

/** Members that an object may have: the library goes through them without a stop. */
export const MAX_MEMBERS = 50_000;

/**
 * Origin of the schemas: `own` ones are trusted to have sensible patterns, `foreign` ones come from
 * a peer and may be hostile.
 */
export type Trust = "own" | "foreign";

export const DEFAULT_SCHEMA_LIMITS: Readonly<Record<Trust, SchemaLimits>> = {
  own: { depth: 128, subschemas: 10_000, values: 200_000, work: 1_000_000, time: 500 },
  foreign: { depth: 128, subschemas: 2000, values: 20_000, work: 200_000, time: 250 },
};
