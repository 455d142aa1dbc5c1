/**
 * Bounds on what a schema may contain, so that every later stage can recurse and compare without care.
 * The official schemas stay far below all of them.
 */

/** Brackets within brackets, and types within types. */
export const MAX_NESTING = 64;

/** Declarations that lead from one to the next by heritage or alias. */
export const MAX_CHAIN = 64;

export const MAX_DECLARATIONS = 1000;

/** Members of an object type and arms of a union, those of what they build on included. */
export const MAX_PARTS = 1000;

/** Type expressions in one file. */
export const MAX_TYPES = 50_000;

/** Characters of a message; names in it may be long. */
export const MAX_MESSAGE = 400;

/** Diagnostics for one file; whoever has more will not read them. */
export const MAX_REFUSALS = 1000;
