/** The limits on a schema, and on checking one value against it. */
export interface SchemaLimits {
  /** The maximum depth of a schema. Default: 128. */
  readonly depth: number;
  /** The maximum number of subschemas in a schema. Default: 10,000 for own schemas, 2,000 for foreign ones. */
  readonly subschemas: number;
  /**
   * The maximum number of values, of all kinds, in a schema. Default: 200,000 for own schemas, 20,000 for foreign ones.
   */
  readonly values: number;
  /**
   * The maximum number of times that a check applies a subschema to a part of the value. A value that needs more is
   * refused. Default: 10,000,000 for own schemas, 2,000,000 for foreign ones.
   */
  readonly work: number;
  /** The approximate time limit for a check, in milliseconds. Default: 500 for own schemas, 250 for foreign ones. */
  readonly time: number;
}

/**
 * The origin of the schemas: `own` schemas are trusted to have sensible patterns; `foreign` ones come from a peer and
 * may be hostile.
 */
export type Trust = "own" | "foreign";

export const DEFAULT_SCHEMA_LIMITS: Readonly<Record<Trust, SchemaLimits>> = {
  own: { depth: 128, subschemas: 10_000, values: 200_000, work: 10_000_000, time: 500 },
  foreign: { depth: 128, subschemas: 2000, values: 20_000, work: 2_000_000, time: 250 },
};
