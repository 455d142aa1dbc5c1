import type { FamilyKind, MethodFamily } from "@mcp-codegen/runtime";
import type { Method, Protocol } from "../link/protocol.js";
import type { TypeExpression } from "../model/schema-model.js";
import type { ConstrainedType, EffectiveShape, Shapes } from "../model/shape.js";
import { isIdentifier } from "./ids.js";

/** An array that is a required member of a result. */
export interface List {
  readonly member: string;
  /** The name of the items' type, or undefined if the items have an inline type. */
  readonly item: string | undefined;
}

export function listsOf({ result }: Method, shapes: Shapes): List[] {
  const members = [...(result ? (shapes.named(result.type)?.members.values() ?? []) : [])];
  return members
    .filter(({ optional, name }) => !optional && isIdentifier(name))
    .flatMap(({ name, types }) => {
      const element = types[0] && elementOf(types[0].type, shapes);
      return element ? [{ member: name, item: nameOf(element) }] : [];
    });
}

function elementOf(type: TypeExpression, shapes: Shapes): TypeExpression | undefined {
  if (type.kind === "array") return type.element;
  if (type.kind !== "reference") return undefined;
  const declaration = shapes.declaration(type.name);
  return declaration?.kind === "alias" && declaration.type.kind === "array"
    ? declaration.type.element
    : undefined;
}

function nameOf(type: TypeExpression): string | undefined {
  return type.kind === "reference" ? type.name : undefined;
}

export function planFamilies(protocol: Protocol, shapes: Shapes): MethodFamily[] {
  const families = protocol.methods.flatMap((method) => familyOf(method, protocol, shapes));
  return withReferences(families, protocol, shapes);
}

export function itemMembers(
  protocol: Protocol,
  shapes: Shapes,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    planFamilies(protocol, shapes).map(({ name, list }) => {
      const method = protocol.methods.find((candidate) => candidate.method === list)!;
      const { item = "" } = listsOf(method, shapes)[0]!;
      return [name, [...(shapes.named(item)?.members.keys() ?? [])]];
    }),
  );
}

/**
 * Returns the family of a method that lists named items, such as `resources/templates/list`, or an empty array for any
 * other method.
 */
function familyOf(list: Method, protocol: Protocol, shapes: Shapes): MethodFamily[] {
  const [{ member, item } = { member: "", item: undefined }, ...others] = listsOf(list, shapes);
  const shape = item === undefined ? undefined : shapes.named(item);
  if (!list.method.endsWith("/list") || others.length > 0 || !item || !shape) return [];
  const [start = "", ...inner] = list.method.split("/").slice(0, -1);
  const named = (method: string): Method | undefined =>
    protocol.methods.find((candidate) => candidate.method === method);
  const direct = useOf(start, shape, protocol, shapes);
  const key = direct?.by ?? keyOf(shape);
  if (key === undefined) return [];
  // A template is used by expanding it. The result is then used with the method that belongs to the template's parent
  // list.
  const isTemplate = inner.length > 0 && formatOf(shape, key) === "uri-template";
  const whole = isTemplate
    ? protocol.methods.find(({ method }) => method === `${start}/list`)
    : undefined;
  const [parent] = whole ? familyOf(whole, protocol, shapes) : [];
  const { use, by, result } = direct ?? parent ?? {};
  const kind = isTemplate && parent ? "template" : (direct?.kind ?? "other");
  const changed = named(`notifications/${start}/list_changed`)?.method;
  const subscribe = named(`${start}/subscribe`)?.method;
  const updated = named(`notifications/${start}/updated`)?.method;
  return [
    {
      name: member,
      noun: wordsOf(item),
      list: list.method,
      kind,
      from: list.from,
      key,
      ...(use !== undefined && by !== undefined && result !== undefined && { use, by, result }),
      ...(parent && { templatesOf: parent.name }),
      ...(changed !== undefined && { changed }),
      ...(parent === undefined && subscribe !== undefined && { subscribe }),
      ...(parent === undefined && updated !== undefined && { updated }),
      ...(list.capability !== undefined && { capability: list.capability }),
    },
  ];
}

interface Use extends Pick<MethodFamily, "kind"> {
  readonly use: string;
  readonly by: string;
  readonly result: string;
}

/**
 * Finds the request that uses a single item, such as `prompts/get`. It has a required string parameter that shares its
 * name with a required string member of the items.
 */
function useOf(
  start: string,
  item: EffectiveShape,
  { methods, ...protocol }: Protocol,
  shapes: Shapes,
): Use | undefined {
  for (const { method, params, result } of methods) {
    if (!method.startsWith(`${start}/`) || !params || !result || result.rule === "empty") continue;
    const shape = paramsShape(params.type, protocol, shapes);
    const by = texts(shape).find((name) => texts(item).includes(name));
    if (by !== undefined)
      return { use: method, by, result: result.type, kind: kindOf(by, shape, shapes) };
  }
  return undefined;
}

/** Returns the kind of items that a request uses: its `arguments` are values of any type, or strings. */
function kindOf(by: string, params: EffectiveShape | undefined, shapes: Shapes): FamilyKind {
  if (by === "uri") return "resource";
  const type = params?.members.get("arguments")?.types[0]?.type;
  const values = type && shapes.of(type)?.indexes[0]?.type;
  if (values === undefined) return "other";
  return values.kind === "keyword" && values.name === "string" ? "prompt" : "tool";
}

/**
 * Returns the member that identifies items when no request uses them: the first URI or URI template, or else `name`, or
 * else the first string.
 */
function keyOf(item: EffectiveShape): string | undefined {
  const names = texts(item);
  return (
    names.find((name) => formatOf(item, name)?.startsWith("uri")) ??
    names.find((name) => name === "name") ??
    names[0]
  );
}

function texts(shape: EffectiveShape | undefined): string[] {
  return [...(shape?.members.values() ?? [])]
    .filter(({ optional, types }) => !optional && types.every(isText))
    .map(({ name }) => name);
}

function isText({ type }: ConstrainedType): boolean {
  return type.kind === "keyword" && type.name === "string";
}

function formatOf(shape: EffectiveShape, member: string): string | undefined {
  const types = shape.members.get(member)?.types ?? [];
  return types.map(({ constraints }) => constraints?.format).find((format) => format !== undefined);
}

function wordsOf(type: string): string {
  return type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
}

/** Adds to each family the reference type, such as `ref/prompt`, that is used to request completions for its items. */
function withReferences(
  families: readonly MethodFamily[],
  protocol: Protocol,
  shapes: Shapes,
): MethodFamily[] {
  const references = new Map<MethodFamily, string>();
  for (const { params } of protocol.methods) {
    const ref = params && paramsShape(params.type, protocol, shapes)?.members.get("ref");
    const arms = ref?.types.flatMap(({ type }) => shapes.arms(type)) ?? [];
    for (const arm of arms) {
      const reference = String(shapes.memberLiteral(shapes.of(arm)?.members.get("type")));
      const own = families.find(({ noun }) => `ref/${noun}` === reference);
      const templates = families.find(({ templatesOf }) => own && templatesOf === own.name);
      const family = templates ?? own;
      if (family) references.set(family, reference);
    }
  }
  return families.map((family) => {
    const reference = references.get(family);
    return reference === undefined ? family : { ...family, reference };
  });
}

export function paramsShape(
  name: string,
  { synthesized }: Pick<Protocol, "synthesized">,
  shapes: Shapes,
): EffectiveShape | undefined {
  const inline = synthesized.find((candidate) => candidate.name === name);
  if (inline === undefined) return shapes.named(name);
  const type = shapes.named(inline.owner)?.members.get(inline.member)?.types[0]?.type;
  return type && shapes.of(type);
}
