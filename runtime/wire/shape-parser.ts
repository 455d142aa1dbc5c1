import type { Limits, MemberShape, Shape, UnionCase, UnionShape } from "./shape.js";
import { hasLength, isBetween, isInteger, isNumber, matches } from "./validate.js";

/** A string, a number, `..`, a name, formats, or any other character. */
const TOKEN =
  /\s*("(?:[^"\\]|\\.)*"|<[^>]*>|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\.\.|[\p{ID_Start}$_][\p{ID_Continue}$]*|\S)/gu;

/**
 * Reads the description of a type. The notation is that of TypeScript types, with a few additions:
 *
 * - `integer`, besides `number`; `number(0..1)`, `string(1..)` and `Icon[](..5)` have limits
 * - `string matching "^a"` has a pattern
 * - `{ [name]: Icon }` has any members of that type
 * - `string<uri>` has a format, `{ … }<meta trace>` has two
 * - `by type { "text": TextContent; "image", undefined: ImageContent }` is a union that a member tells apart; the
 *   alternatives stand before `by` where they are other than those in braces
 *
 * @param isRecursive - tells of a name whether its type can contain a value of its own type
 */
export function parseShape(text: string, isRecursive: (name: string) => boolean): Shape {
  const tokens = [...text.matchAll(TOKEN)].map(([, token]) => token!);
  return new ShapeParser(tokens, isRecursive).union();
}

class ShapeParser {
  readonly #tokens: readonly string[];
  readonly #isRecursive: (name: string) => boolean;
  #next = 0;

  constructor(tokens: readonly string[], isRecursive: (name: string) => boolean) {
    this.#tokens = tokens;
    this.#isRecursive = isRecursive;
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
    return { kind: "reference", name, expected: name, recursive: this.#isRecursive(name) };
  }

  /** Reads `(1..5)`, `(1..)` or `(..5)` if that is next. */
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
