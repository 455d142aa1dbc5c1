import { hasLength, isBetween, isInteger, isNumber, matches } from "./tests.js";
import type { Shapes, Validator } from "./validator.js";

/**
 * Type of a value. `expected` names it in issues; `recursive`: a value can contain a value of the
 * same type; `formats`: additional formats of its values, see {@link formatTest}.
 */
export type Shape = {
  readonly expected: string;
  readonly recursive: boolean;
  readonly formats?: readonly string[];
} & (
  | { readonly kind: "unknown" }
  | { readonly kind: "scalar"; accepts(value: unknown): boolean }
  | ArrayShape
  | ObjectShape
  | UnionShape
  | { readonly kind: "intersection"; readonly parts: readonly Shape[] }
  | { readonly kind: "reference"; readonly name: string }
);

export interface ArrayShape {
  readonly kind: "array";
  readonly element: Shape;
  readonly size: Limits | undefined;
}

/** Objects are open: unnamed members may have any value, unless `index` restricts them. */
export interface ObjectShape {
  readonly kind: "object";
  readonly members: readonly MemberShape[];
  readonly index: Shape | undefined;
}

export interface MemberShape {
  readonly name: string;
  readonly optional: boolean;
  readonly shape: Shape;
}

/** A union with a `tag` has `cases`: the value of that member selects the alternatives that are possible. */
export interface UnionShape {
  readonly kind: "union";
  readonly arms: readonly Shape[];
  readonly tag?: string;
  readonly cases?: readonly UnionCase[];
}

export interface UnionCase {
  /** Values of the tag; undefined for an absent one. */
  readonly labels: readonly (string | number | boolean | undefined)[];
  readonly shape: Shape;
}

/** Inclusive limits, and their text in issues. */
export interface Limits {
  readonly minimum: number;
  readonly maximum: number;
  readonly text: string;
}

/** Mark at the start of the description of a recursive type. */
const RECURSIVE = "recursive ";

const parsed = new WeakMap<Shapes, Map<string, Shape>>();

/**
 * Shape of a type, or a validator if another module describes it. A description is parsed once, on
 * first use.
 */
export function shapeOf(shapes: Shapes, name: string): Shape | Validator {
  const text = shapes[name]!;
  if (typeof text !== "string") return text;
  let known = parsed.get(shapes);
  if (known === undefined) parsed.set(shapes, (known = new Map()));
  let shape = known.get(name);
  if (shape === undefined) {
    const body = isRecursive(shapes, name) ? text.slice(RECURSIVE.length) : text;
    shape = parseShape(body, shapes);
    known.set(name, shape);
  }
  return shape;
}

/** True for a type that can contain a value of its own type, so that its levels are limited. */
export function isRecursive(shapes: Shapes, name: string): boolean {
  const text = shapes[name];
  return typeof text === "string" && text.startsWith(RECURSIVE);
}

/** True for a shape that one inline test decides; its issues do not name anything inside. */
export function isSimple(shape: Shape): boolean {
  switch (shape.kind) {
    case "array":
      return shape.element.kind === "unknown" && shape.size === undefined;
    case "object":
      return shape.members.length === 0 && shape.index === undefined;
    default:
      return shape.kind === "scalar" || shape.kind === "unknown";
  }
}

/** A string, a number, `..`, a name, formats, or any other character. */
const TOKEN =
  /\s*("(?:[^"\\]|\\.)*"|<[^>]*>|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\.\.|[\p{ID_Start}$_][\p{ID_Continue}$]*|\S)/gu;

/**
 * Reads the description of a type. The notation is that of TypeScript types, with a few additions:
 *
 * - `integer`, besides `number`; `number(0..1)`, `string(1..)` and `Icon[](..5)` have limits -
 * `string matching "^a"` has a pattern - `{ [name]: Icon }` has any members of that type -
 * `string<uri>` has a format, `{ … }<meta trace>` has two - `by type { "text": TextContent;
 * "image", undefined: ImageContent }` is a union with a discriminating member; the alternatives
 * precede `by` if they differ from those in braces
 *
 * @param shapes - table with the types that it refers to
 */
function parseShape(text: string, shapes: Shapes): Shape {
  const tokens = [...text.matchAll(TOKEN)].map(([, token]) => token!);
  return new ShapeParser(tokens, shapes).union();
}

class ShapeParser {
  readonly #tokens: readonly string[];
  readonly #shapes: Shapes;
  #next = 0;

  constructor(tokens: readonly string[], shapes: Shapes) {
    this.#tokens = tokens;
    this.#shapes = shapes;
  }

  union(): Shape {
    const arms = this.#peek() === "by" ? [] : this.#list("|", () => this.#intersection());
    if (!this.#take("by")) return arms.length === 1 ? arms[0]! : union(arms);
    const tag = this.#key();
    const cases = this.#cases();
    return { ...union(arms.length > 0 ? arms : armsOf(cases)), tag, cases };
  }

  #cases(): UnionCase[] {
    const cases: UnionCase[] = [];
    this.#take("{");
    while (!this.#take("}")) {
      const labels = this.#list(",", () => this.#label());
      this.#take(":");
      cases.push({ labels, shape: this.union() });
      this.#take(";");
    }
    return cases;
  }

  #label(): string | number | boolean | undefined {
    const token = this.#token();
    return token === "undefined" ? undefined : (JSON.parse(token) as string | number | boolean);
  }

  #intersection(): Shape {
    const parts = this.#list("&", () => this.#arrays());
    if (parts.length === 1) return parts[0]!;
    const expected = parts.map(operand).join(" & ");
    return { kind: "intersection", parts, expected, recursive: parts.some(isDeep) };
  }

  #arrays(): Shape {
    let shape = this.#formatted(this.#primary());
    while (this.#take("[")) {
      this.#take("]");
      const size = this.#limits((limits) => `array with ${limits} items`);
      const expected = shape.kind === "unknown" ? "array" : `${operand(shape)}[]`;
      const { recursive } = shape;
      shape = this.#formatted({ kind: "array", element: shape, size, expected, recursive });
    }
    return shape;
  }

  #formatted(shape: Shape): Shape {
    if (!this.#peek()?.startsWith("<")) return shape;
    return { ...shape, formats: this.#token().slice(1, -1).split(" ") };
  }

  #primary(): Shape {
    const token = this.#token();
    switch (token) {
      case "(":
        return this.#group();
      case "{":
        return this.#object();
      case "object":
        return { kind: "object", members: [], index: undefined, ...plain("object") };
      case "unknown":
        return { kind: "unknown", ...plain("any value") };
      case "never":
        return scalar("nothing", () => false);
      case "string":
        return this.#string();
      case "integer":
        return this.#number("integer", isInteger);
      case "number":
        return this.#number("number", isNumber);
      case "boolean":
        return scalar("boolean", (value) => typeof value === "boolean");
      default:
        return isLiteral(token) ? literal(token) : this.#reference(token);
    }
  }

  #group(): Shape {
    const shape = this.union();
    this.#take(")");
    return shape;
  }

  #object(): Shape {
    const members: MemberShape[] = [];
    let index: Shape | undefined;
    while (!this.#take("}")) {
      if (this.#take("[")) {
        this.#next += 3;
        index = this.union();
      } else {
        members.push(this.#member());
      }
      this.#take(";");
    }
    const recursive = [...members.map(({ shape }) => shape), ...(index ? [index] : [])].some(
      isDeep,
    );
    return { kind: "object", members, index, expected: "object", recursive };
  }

  #member(): MemberShape {
    const name = this.#key();
    const optional = this.#take("?");
    this.#take(":");
    return { name, optional, shape: this.union() };
  }

  #string(): Shape {
    const limits = this.#limits((text) => `string with ${text} characters`);
    const { minimum = 0, maximum = Infinity, text = "string" } = limits ?? {};
    const hasSize = (value: unknown) => hasLength(value, minimum, maximum);
    if (!this.#take("matching")) return scalar(text, hasSize);
    const pattern = JSON.parse(this.#token()) as string;
    const expected = `${text} that matches ${pattern}`;
    return scalar(expected, (value) => hasSize(value) && matches(value, pattern));
  }

  #number(name: string, isKind: (value: unknown) => boolean): Shape {
    const limits = this.#limits((text) => `${name}, ${text}`);
    const { minimum = -Infinity, maximum = Infinity, text = name } = limits ?? {};
    return scalar(text, (value) => isKind(value) && isBetween(value, minimum, maximum));
  }

  #reference(name: string): Shape {
    return { kind: "reference", name, expected: name, recursive: isRecursive(this.#shapes, name) };
  }

  /** Reads `(1..5)`, `(1..)` or `(..5)` if that follows. */
  #limits(text: (limits: string) => string): Limits | undefined {
    if (!this.#take("(")) return undefined;
    const minimum = this.#peek() === ".." ? undefined : Number(this.#token());
    this.#take("..");
    const maximum = this.#peek() === ")" ? undefined : Number(this.#token());
    this.#take(")");
    const limits =
      minimum === undefined
        ? `at most ${maximum}`
        : maximum === undefined
          ? `at least ${minimum}`
          : `${minimum} to ${maximum}`;
    return { minimum: minimum ?? -Infinity, maximum: maximum ?? Infinity, text: text(limits) };
  }

  #key(): string {
    const token = this.#token();
    return token.startsWith('"') ? (JSON.parse(token) as string) : token;
  }

  #list<Item>(separator: string, item: () => Item): Item[] {
    const items = [item()];
    while (this.#take(separator)) items.push(item());
    return items;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  #token(): string {
    return this.#tokens[this.#next++]!;
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#next++;
    return true;
  }
}

function union(arms: readonly Shape[]): Shape & UnionShape {
  const expected = arms.map((arm) => arm.expected).join(" | ");
  return { kind: "union", arms, expected, recursive: arms.some(isDeep) };
}

function armsOf(cases: readonly UnionCase[]): Shape[] {
  const arms = cases.flatMap(({ shape }) => (shape.kind === "union" ? shape.arms : [shape]));
  return [...new Map(arms.map((arm) => [arm.expected, arm])).values()];
}

function literal(text: string): Shape {
  const wanted: unknown = JSON.parse(text);
  return scalar(text, (value) => value === wanted);
}

function isLiteral(token: string): boolean {
  return /^["\d-]|^(?:true|false|null)$/.test(token);
}

function scalar(expected: string, accepts: (value: unknown) => boolean): Shape {
  return { kind: "scalar", accepts, ...plain(expected) };
}

function plain(expected: string): { expected: string; recursive: boolean } {
  return { expected, recursive: false };
}

function isDeep({ recursive }: Shape): boolean {
  return recursive;
}

function operand({ expected }: Shape): string {
  return / [|&] /.test(expected) ? `(${expected})` : expected;
}
