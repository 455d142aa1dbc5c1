import type { Method } from "../../link/protocol.js";
import type { JsonValue } from "../../link/protocol.js";
import type { Constraints, TypeExpression } from "../../model/schema-model.js";
import type { EffectiveShape } from "../../model/shape.js";
import type { Revision } from "./reference.js";

/** Returns a small valid message that contains only the required members, with short values. */
export function messageOf(method: Method, revision: Revision): JsonValue {
  const { envelope } = revision.protocol;
  const own = sample(method.type, revision);
  if (method.channel === "embedded") return own;
  const frame = sample(
    method.kind === "request" ? envelope.request : envelope.notification,
    revision,
  );
  if (!isObject(own) || !isObject(frame)) return own;
  const { method: _, ...head } = frame;
  return { ...head, ...own };
}

export function sample(type: string, revision: Revision): JsonValue {
  const at = { revision, root: type, path: [], above: [] };
  return valueOf({ kind: "reference", name: type, span: NOWHERE }, at) ?? null;
}

const NOWHERE = { line: 0, column: 0, start: 0, end: 0 };

/** The maximum nesting depth of types in a sample, which ends recursion. */
const DEEPEST = 12;

interface Place {
  readonly revision: Revision;
  /** The type of the whole value. */
  readonly root: string;
  /** The members that lead to the value. */
  readonly path: readonly string[];
  /** The types that contain the value. */
  readonly above: readonly string[];
}

function valueOf(
  type: TypeExpression,
  at: Place,
  constraints: Constraints = {},
): JsonValue | undefined {
  const { above } = at;
  const { shapes } = at.revision;
  if (above.length > DEEPEST) return undefined;
  const pinned = shapes.literal(type);
  if (pinned !== undefined) return pinned;
  const shape = shapes.of(type);
  if (shape) return objectOf(shape, { ...at, above: [...above, nameOf(type)] });
  switch (type.kind) {
    case "keyword":
      return type.name === "string" ? stringOf(at, constraints) : SIMPLE[type.name]?.(constraints);
    case "reference": {
      const declaration = shapes.declaration(type.name);
      if (declaration?.kind !== "alias" || above.includes(type.name)) return undefined;
      const limits = declaration.constraints ?? constraints;
      return valueOf(declaration.type, { ...at, above: [...above, type.name] }, limits);
    }
    case "array":
      return arrayOf(type.element, at, constraints);
    case "union":
      return firstOf(type.members.toSorted(byBrevity), (arm) => valueOf(arm, at, constraints));
    case "intersection":
      return firstOf(type.members, (arm) => valueOf(arm, at, constraints));
    default:
      return undefined;
  }
}

/** Sorts numbers first, because they are shorter than the strings that are valid in the same place, such as ids. */
function byBrevity(one: TypeExpression, other: TypeExpression): number {
  return Number(isNumber(other)) - Number(isNumber(one));
}

function isNumber(type: TypeExpression): boolean {
  return type.kind === "keyword" && type.name === "number";
}

/**
 * Returns a fixed value if the format is known. Otherwise, returns a value from the schemas' examples or one derived
 * from the member's name, padded to the minimum length.
 */
function stringOf({ revision, root, path }: Place, { format, minLength = 1 }: Constraints): string {
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) return known;
  const example = placesOf(root, path).map((place) => revision.values.get(place));
  const value = example.find((one) => one !== undefined) ?? wordsOf(path.at(-1) ?? "text");
  return (value === ANY_REVISION ? revision.id : value).padEnd(minLength, "x");
}

/** Returns the words in a name, or a value suggested by its last word. */
function wordsOf(name: string): string {
  const words = lastOf(name).replace(/(?<=\p{Ll})\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`);
  const last = words.split(/[ _-]/).at(-1)!;
  return Object.hasOwn(SUGGESTED, last) ? SUGGESTED[last]! : words;
}

const SUGGESTED: Readonly<Record<string, string>> = {
  description: "An example.",
  id: "example-1",
  message: "Hello.",
  name: "example",
  text: "Hello.",
  title: "Example",
  uri: "https://example.com/",
  url: "https://example.com/",
  version: "1.0.0",
};

/** A placeholder for the id of the revision whose message contains the value. */
const ANY_REVISION = "{revision}";
const LONGEST = 60;

/**
 * Collects short strings from the revisions' examples, by the places where they are plausible. For each place, the
 * first string found is used.
 */
export function exampleValues(
  revisions: readonly Pick<Revision, "id" | "examples">[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const ids = new Set(revisions.map(({ id }) => id));
  const visit = (value: JsonValue, root: string, path: readonly string[]): void => {
    if (typeof value === "string" && value.length <= LONGEST) {
      const shown = ids.has(value) ? ANY_REVISION : value;
      for (const place of placesOf(root, path)) if (!found.has(place)) found.set(place, shown);
    } else if (Array.isArray(value)) {
      for (const item of value as readonly JsonValue[]) visit(item, root, path);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) visit(member, root, [...path, name]);
    }
  };
  for (const { examples } of revisions) {
    for (const [type, own] of examples) {
      for (const { text } of own) visit(JSON.parse(text) as JsonValue, type, []);
    }
  }
  return found;
}

/**
 * Returns the keys under which a place is looked up, starting with the most specific: its path in the type, its name
 * together with its parent's name and, if its name is in camel case, its name alone.
 */
function placesOf(root: string, path: readonly string[]): readonly string[] {
  const [parent, name = ""] = path.length < 2 ? ["", ...path] : path.slice(-2);
  const own = lastOf(name);
  const isSpecific = /\p{Lu}/u.test(own);
  return [`${root}: ${path.join(".")}`, `${lastOf(parent!)}.${own}`, ...(isSpecific ? [own] : [])];
}

/** Returns a name without the prefix used for keys in `_meta`: `protocolVersion`. */
function lastOf(name: string): string {
  return name.split("/").at(-1)!;
}

function nameOf(type: TypeExpression): string {
  return type.kind === "reference" ? type.name : "";
}

function firstOf<T>(
  items: readonly T[],
  valueFor: (item: T) => JsonValue | undefined,
): JsonValue | undefined {
  for (const item of items) {
    const value = valueFor(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function arrayOf(element: TypeExpression, at: Place, { minItems = 1 }: Constraints): JsonValue {
  const item = valueOf(element, at);
  return item === undefined ? [] : Array.from({ length: Math.max(minItems, 1) }, () => item);
}

/** Returns an object with its required members; undefined if any of them has no small value. */
function objectOf({ members }: EffectiveShape, at: Place): JsonValue | undefined {
  const { shapes } = at.revision;
  const entries: [string, JsonValue][] = [];
  for (const { name, optional, types } of members.values()) {
    if (optional) continue;
    const inside = { ...at, path: [...at.path, name] };
    const value = firstOf(
      types.filter(({ type }) => types.length === 1 || shapes.literal(type) !== undefined),
      ({ type, constraints }) => valueOf(type, inside, constraints),
    );
    const known = value ?? firstOf(types, (one) => valueOf(one.type, inside));
    if (known === undefined) return undefined;
    entries.push([name, known]);
  }
  return Object.fromEntries(entries);
}

const SIMPLE: Readonly<Record<string, (constraints: Constraints) => JsonValue>> = {
  number: ({ minimum, maximum }) => Math.min(Math.max(minimum ?? 1, 1), maximum ?? Infinity),
  boolean: () => true,
  null: () => null,
  unknown: () => "text",
  any: () => "text",
  object: () => ({}),
};

const FORMATS: Readonly<Record<string, string>> = {
  uri: "https://example.com/",
  "uri-template": "https://example.com/{name}",
  byte: "aGVsbG8=",
  "date-time": "2000-01-01T00:00:00Z",
  date: "2000-01-01",
  email: "a@example.com",
};

function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
