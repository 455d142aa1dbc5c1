import type { TypeExpression } from "../../../generator/model/schema-model.js";
import type { Shapes } from "../../../generator/model/shape.js";

/**
 * Members that may occur although a revision does not name them, because its objects are open for
 * them.
 */
const ADMITTED = [
  /Params\._meta$/,
  /Capabilities\.extensions$/,
  /_meta\.(?!io\.modelcontextprotocol)/,
];

/** Objects that people write in languages of their own. */
const FOREIGN = ["Tool.inputSchema", "Tool.outputSchema", "CallToolResult.structuredContent"];

/**
 * Returns the issues of a value under a revision whose objects admit only declared members. This includes objects that
 * the schema leaves open, if it names any members of them.
 */
export function strictIssues(shapes: Shapes, name: string, value: unknown): string[] {
  return new Strict(shapes).issues(name, { kind: "reference", name, span: NOWHERE }, value, "");
}

const NOWHERE = { line: 0, column: 0, start: 0, end: 0 };

class Strict {
  readonly #shapes: Shapes;

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  issues(place: string, type: TypeExpression, value: unknown, path: string): string[] {
    if (FOREIGN.includes(place)) return isObject(value) ? [] : [`${path}: not an object`];
    const arms = this.#shapes.arms(type);
    if (arms.length > 1) {
      const found = arms.map((arm) => this.issues(place, arm, value, path));
      const best = found.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
      return found.some((issues) => issues.length === 0) ? [] : best[0]!;
    }
    const literal = this.#shapes.literal(type);
    if (literal !== undefined) return value === literal ? [] : [`${path}: not ${literal}`];
    if (type.kind === "keyword") return keyword(type.name, value, path);
    if (type.kind === "array") return this.#array(place, type.element, value, path);
    const shape = this.#shapes.of(type);
    if (shape) {
      return this.#object(type.kind === "reference" ? type.name : place, type, value, path);
    }
    const declaration = type.kind === "reference" ? this.#shapes.declaration(type.name) : undefined;
    if (declaration?.kind === "alias") return this.issues(place, declaration.type, value, path);
    throw new Error(`Cannot check ${place}`);
  }

  #array(place: string, element: TypeExpression, value: unknown, path: string): string[] {
    if (!Array.isArray(value)) return [`${path}: not an array`];
    return value.flatMap((item, index) =>
      this.issues(`${place}[]`, element, item, `${path}/${index}`),
    );
  }

  #object(place: string, type: TypeExpression, value: unknown, path: string): string[] {
    if (!isObject(value)) return [`${path}: not an object`];
    const { members, indexes } = this.#shapes.of(type)!;
    const missing = [...members.values()].filter(
      ({ name, optional }) => !optional && !Object.hasOwn(value, name),
    );
    const found = missing.map(({ name }) => `${path}/${name}: missing`);
    for (const [name, item] of Object.entries(value)) {
      const member = members.get(name);
      const at = `${member?.from || place}.${name}`;
      const inside = `${path}/${name}`;
      if (member) found.push(...this.issues(at, member.types[0]!.type, item, inside));
      else if (members.size === 0 && indexes[0]) {
        found.push(...this.issues(at, indexes[0].type, item, inside));
      } else if (members.size > 0 && !ADMITTED.some((pattern) => pattern.test(at))) {
        found.push(`${inside}: unknown member of ${place}`);
      }
    }
    return found;
  }
}

function depth(issues: readonly string[]): number {
  return Math.max(...issues.map((issue) => issue.split("/").length));
}

function keyword(name: string, value: unknown, path: string): string[] {
  if (name === "any" || name === "unknown") return [];
  const fits =
    name === "null" ? value === null : name === "object" ? isObject(value) : typeof value === name;
  return fits ? [] : [`${path}: not a ${name}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
