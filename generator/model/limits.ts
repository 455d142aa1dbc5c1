/**
 * Limits on schemas, which allow later stages to recurse and compare safely. The official schemas are far below all of
 * these limits.
 */

/** The maximum nesting depth of brackets and of types. */
export const MAX_NESTING = 64;

/** The maximum length of a chain of declarations that extend or alias each other. */
export const MAX_CHAIN = 64;

export const MAX_DECLARATIONS = 1000;

/** The maximum number of members in an object type, including inherited ones, and of alternatives in a union. */
export const MAX_PARTS = 1000;

export const MAX_TYPES = 50_000;

/** The maximum length of a message, in characters. Messages may contain long names. */
export const MAX_MESSAGE = 400;

export const MAX_REFUSALS = 1000;
