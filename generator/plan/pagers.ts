import type { Method } from "../link/protocol.js";
import type { TypeExpression } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import { isIdentifier } from "./identifiers.js";
import { BASE_MEMBERS } from "./reserved-names.js";
import type { Stub } from "./revision-plan.js";

/** What a page lists: the one array that its result requires. */
interface List {
  readonly member: string;
  /** Name of the items' type; undefined when they are of a type without a name. */
  readonly item: string | undefined;
}

/**
 * Adds an iterator to each stub whose result comes in pages, named after what it lists: `tools` gives
 * `allTools`. Where that is taken, it is named after the request: `allSearchTools`.
 */
export function withPagers(stubs: readonly Stub[], shapes: Shapes): Stub[] {
  const lists = stubs.map(({ method }) => listOf(method, shapes));
  const short = lists.map((list) => list && `all${capitalize(list.member)}`);
  const stubNames = new Set(stubs.map(({ name }) => name));
  return stubs.map((stub, index) => {
    const [list, name] = [lists[index], short[index]];
    if (list === undefined || name === undefined) return stub;
    const taken =
      BASE_MEMBERS.has(name) ||
      stubNames.has(name) ||
      short.indexOf(name) !== short.lastIndexOf(name);
    return { ...stub, pager: { ...list, name: taken ? `all${stub.method.base}` : name } };
  });
}

function listOf({ paginated, result }: Method, shapes: Shapes): List | undefined {
  if (!paginated || !result || result.alternatives.length > 0) return undefined;
  const required = [...(shapes.named(result.type)?.members.values() ?? [])].filter(
    ({ optional, name }) => !optional && isIdentifier(name),
  );
  const lists = required.flatMap(({ name, types }) => {
    const element = types[0] && elementOf(types[0].type, shapes);
    return element ? [{ member: name, item: nameOf(element) }] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
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

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
