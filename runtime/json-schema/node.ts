/**
 * A subschema in the form that is evaluated: a copy with its dialect's keywords only, without a prototype.
 * The evaluation adds members that start with `__` to it.
 */
export type Node = Record<string, unknown>;

export type Subschema = Node | boolean;

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function emptyNode(): Node {
  return Object.create(null) as Node;
}

/** True for the form in which a schema `false` is evaluated. */
export function isNever(value: unknown): boolean {
  return isNode(value) && value["not"] === true && Object.keys(value).length === 1;
}

/** One token of a JSON Pointer. */
export function token(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
