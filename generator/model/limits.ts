/**
 * Limits on schemas, so that later stages can safely recurse and compare. The official schemas are far below all of
 * the limits.
 */

/** Maximum nesting depth of brackets and of types. */
export const MAX_NESTING = 64;

/** Maximum length of a chain of declarations that extend or alias each other. */
export const MAX_CHAIN = 64;

export const MAX_DECLARATIONS = 1000;

/** Maximum number of members of an object type, including inherited ones, and of alternatives of a union. */
export const MAX_PARTS = 1000;

export const MAX_TYPES = 50_000;

/** Maximum length of a message, in characters. The names in it may be long. */
export const MAX_MESSAGE = 400;

export const MAX_REFUSALS = 1000;
