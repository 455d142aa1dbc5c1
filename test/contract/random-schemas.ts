import { SchemaDocument } from "../../runtime/contract/diff/schema-document.js";

type Random = () => number;
type Schema = Record<string, unknown>;

const pick = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)]!;
const chance = (random: Random, part: number): boolean => random() < part;
const NAMES = ["a", "b", "c"] as const;
const VALUES = ["a", "ab", "", 0, 1, 2, 3.5, -1, true, false, null] as const;

/** Creates a schema with keywords of all kinds and with a definition that sometimes refers to itself. */
export function randomSchema(random: Random, depth: number): Schema {
  const schema = node(random, depth);
  if (chance(random, 0.3)) schema["$defs"] = { D: node(random, depth - 1) };
  else schema["$defs"] = { D: { type: "string" } };
  return schema;
}

function node(random: Random, depth: number): Schema {
  if (depth <= 0 || chance(random, 0.1)) return leaf(random);
  const kind = random();
  if (kind < 0.35) return object(random, depth);
  if (kind < 0.5) return array(random, depth);
  if (kind < 0.6) return { $ref: "#/$defs/D" };
  const branches = (): Schema[] => [node(random, depth - 1), node(random, depth - 1)];
  if (kind < 0.7)
    return { ...maybe(random, 0.3, () => object(random, depth - 1)), anyOf: branches() };
  if (kind < 0.78) return { oneOf: branches() };
  if (kind < 0.86) return { allOf: branches() };
  if (kind < 0.9) return { not: node(random, depth - 1) };
  return leaf(random);
}

const maybe = (random: Random, part: number, make: () => Schema): Schema =>
  chance(random, part) ? make() : {};

function leaf(random: Random): Schema {
  const kind = random();
  if (kind < 0.1) return {};
  if (kind < 0.3) {
    return {
      type: pick(random, ["integer", "number", ["integer", "null"]]),
      ...maybe(random, 0.4, () => ({ minimum: pick(random, [-1, 0, 1]) })),
      ...maybe(random, 0.4, () => ({ maximum: pick(random, [1, 2, 3]) })),
      ...maybe(random, 0.2, () => ({ exclusiveMinimum: pick(random, [-2, -1, 0]) })),
      ...maybe(random, 0.2, () => ({ multipleOf: pick(random, [1, 2, 0.5]) })),
    };
  }
  if (kind < 0.5) {
    return {
      type: pick(random, ["string", ["string", "null"], ["string", "integer"]]),
      ...maybe(random, 0.3, () => ({ minLength: pick(random, [0, 1, 2]) })),
      ...maybe(random, 0.3, () => ({ maxLength: pick(random, [1, 2, 3]) })),
      ...maybe(random, 0.2, () => ({ pattern: pick(random, ["^a", "b$"]) })),
    };
  }
  if (kind < 0.65) return { enum: [pick(random, VALUES), pick(random, VALUES)].filter(unique) };
  if (kind < 0.75) return { const: pick(random, VALUES) };
  return { type: pick(random, ["boolean", "null", "string", "object", "array"]) };
}

const unique = (value: unknown, index: number, all: readonly unknown[]): boolean =>
  all.indexOf(value) === index;

function object(random: Random, depth: number): Schema {
  const names = NAMES.filter(() => chance(random, 0.6));
  const properties = Object.fromEntries(names.map((name) => [name, node(random, depth - 1)]));
  return {
    ...maybe(random, 0.8, () => ({ type: "object" })),
    ...maybe(random, 0.9, () => ({ properties })),
    ...maybe(random, 0.4, () => ({ required: [pick(random, NAMES)] })),
    ...maybe(random, 0.3, () => ({
      additionalProperties: chance(random, 0.6) ? false : node(random, 0),
    })),
    ...maybe(random, 0.1, () => ({ minProperties: 1 })),
    ...maybe(random, 0.1, () => ({ maxProperties: pick(random, [1, 2]) })),
    ...maybe(random, 0.1, () => ({ patternProperties: { "^a": node(random, 0) } })),
    ...maybe(random, 0.1, () => ({ propertyNames: { maxLength: 1 } })),
    ...maybe(random, 0.1, () => ({ dependentRequired: { a: ["b"] } })),
  };
}

function array(random: Random, depth: number): Schema {
  return {
    type: "array",
    ...maybe(random, 0.7, () => ({ items: chance(random, 0.1) ? false : node(random, depth - 1) })),
    ...maybe(random, 0.3, () => ({ prefixItems: [node(random, 0), node(random, 0)] })),
    ...maybe(random, 0.2, () => ({ minItems: 1 })),
    ...maybe(random, 0.3, () => ({ maxItems: pick(random, [1, 2]) })),
    ...maybe(random, 0.2, () => ({ uniqueItems: true })),
    ...maybe(random, 0.1, () => ({ contains: node(random, 0) })),
  };
}

/** Returns the schema with something in it replaced, removed or added. */
export function mutate(schema: Schema, random: Random): Schema {
  const copy = structuredClone(schema);
  const nodes: Schema[] = [];
  const visit = (value: unknown, isMap: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value) && !isMap) nodes.push(value as Schema);
    for (const [name, member] of Object.entries(value)) {
      const isOfSchemas = ["properties", "patternProperties", "$defs"].includes(name) && !isMap;
      if (name !== "dependentRequired" || isMap) visit(member, isOfSchemas);
    }
  };
  visit(copy, false);
  for (let times = chance(random, 0.8) ? 1 : 2; times > 0; times -= 1)
    change(pick(random, nodes), random);
  return copy;
}

function change(place: Schema, random: Random): void {
  const name = pick(random, [...Object.keys(place).filter((one) => one !== "$defs"), ""]);
  const kind = random();
  const { properties } = place;
  if (properties !== undefined && kind < 0.5) {
    (properties as Schema)[pick(random, NAMES)] = node(random, 1);
    return;
  }
  if (kind < 0.4 && name) delete place[name];
  else if (kind < 0.7) Object.assign(place, leaf(random));
  else if (kind < 0.8) Object.assign(place, object(random, 1));
  else if (kind < 0.9) Object.assign(place, { anyOf: [leaf(random), node(random, 1)] });
  else if (Array.isArray(place["enum"])) place["enum"] = [...(place["enum"] as unknown[]), "new"];
  else if (Array.isArray(place["anyOf"]))
    place["anyOf"] = [...(place["anyOf"] as unknown[]), leaf(random)];
}

/**
 * Creates a value that may fit a schema. Objects have no properties that the schema does not name, unless it says
 * something about such properties.
 */
export function valueOf(schema: Schema, random: Random): unknown {
  const document = new SchemaDocument(schema);
  return made(schema, document, random, 6);
}

function made(schema: unknown, document: SchemaDocument, random: Random, depth: number): unknown {
  const nodes: Schema[] = [];
  const add = (given: unknown, levels: number): void => {
    const one = document.node(given);
    if (typeof one === "boolean" || levels === 0) return;
    nodes.push(one as Schema);
    if (typeof one["$ref"] === "string") add(document.target(one["$ref"])?.schema, levels - 1);
    for (const part of (one["allOf"] as unknown[] | undefined) ?? []) add(part, levels - 1);
    for (const keyword of ["anyOf", "oneOf"]) {
      const list = one[keyword] as unknown[] | undefined;
      if (list) add(pick(random, list), levels - 1);
    }
  };
  add(schema, 6);
  const all = (keyword: string): unknown[] =>
    nodes.flatMap((one) => (one[keyword] === undefined ? [] : [one[keyword]]));
  const values = [...all("const"), ...all("enum").flat()];
  if (values.length > 0) return pick(random, values);
  const types = all("type").flat() as string[];
  const type =
    types.length > 0
      ? pick(random, types)
      : pick(random, ["object", "array", "string", "integer", "null", "boolean", "number"]);
  if (type === "object") return madeObject(nodes, document, random, depth);
  if (type === "array") {
    if (depth === 0) return [];
    const length = pick(random, [0, 1, 1, 2, 3]);
    return Array.from({ length }, (_, index) => {
      const [prefix] = all("prefixItems") as unknown[][];
      const [items = true] = all("items");
      return made(prefix?.[index] ?? items, document, random, depth - 1);
    });
  }
  if (type === "string") return pick(random, ["", "a", "ab", "b", "abc", "aab"]);
  if (type === "integer") return pick(random, [-2, -1, 0, 1, 2, 3, 4]);
  if (type === "number") return pick(random, [-1, 0, 0.5, 1, 1.5, 2, 3.25]);
  return type === "boolean" ? chance(random, 0.5) : null;
}

function madeObject(
  nodes: readonly Schema[],
  document: SchemaDocument,
  random: Random,
  depth: number,
): unknown {
  const value: Schema = {};
  if (depth === 0) return value;
  const known = nodes.flatMap((one) =>
    Object.entries((one["properties"] as Schema | undefined) ?? {}),
  );
  const required = nodes.flatMap((one) => (one["required"] as string[] | undefined) ?? []);
  for (const [name, schema] of known) {
    if (required.includes(name) || chance(random, 0.6))
      value[name] = made(schema, document, random, depth - 1);
  }
  for (const name of required) value[name] ??= pick(random, VALUES);
  const rest = nodes
    .flatMap((one) => [
      one["additionalProperties"],
      ...Object.values((one["patternProperties"] as Schema | undefined) ?? {}),
    ])
    .filter((one) => one !== undefined);
  const isOpen = rest.length > 0 || nodes.every((one) => one["properties"] === undefined);
  for (const name of ["a", "b", "zz"]) {
    if (!isOpen || Object.hasOwn(value, name) || chance(random, 0.6)) continue;
    value[name] =
      rest.length > 0
        ? made(pick(random, rest), document, random, depth - 1)
        : pick(random, VALUES);
  }
  return value;
}
