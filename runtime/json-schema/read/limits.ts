/** Limits of a schema, and of checking one value against it. */
export interface SchemaLimits {
  /** Maximum depth of a schema. Default: 128. */
  readonly depth: number;
  /** Maximum number of subschemas of a schema. Default: 10 000 for own schemas, 2 000 for foreign ones. */
  readonly subschemas: number;
  /**
   * Maximum number of values of all kinds that a schema consists of. Default: 200 000 for own schemas, 20 000 for
   * foreign ones.
   */
  readonly values: number;
  /**
   * Maximum number of subschemas that a check applies to parts of the value, counted each time; a value that needs
   * more is refused. Default: 10 000 000 for own schemas, 2 000 000 for foreign ones.
   */
  readonly work: number;
  /** Approximate time limit of a check, in milliseconds. Default: 500 for own schemas, 250 for foreign ones. */
  readonly time: number;
}

/**
 * Origin of the schemas: `own` ones are trusted to have sensible patterns, `foreign` ones come from
 * a peer and may be hostile.
 */
export type Trust = "own" | "foreign";

export const DEFAULT_SCHEMA_LIMITS: Readonly<Record<Trust, SchemaLimits>> = {
  own: { depth: 128, subschemas: 10_000, values: 200_000, work: 10_000_000, time: 500 },
  foreign: { depth: 128, subschemas: 2000, values: 20_000, work: 2_000_000, time: 250 },
};
