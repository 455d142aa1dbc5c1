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

/** Shape of an object. Objects are open: unnamed members may have any value, unless `index` restricts them. */
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

/** Shape of a union. With a `tag`, it has `cases`: the value of that member selects the possible alternatives. */
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
  /\s*("(?:[^"\\]|\\.)*"|<[^>]*>|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\.\.|[\w$\x80-\uffff]+|\S)/g;

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
  const all = [...text.matchAll(TOKEN)].map(([, token]) => token!);
  return parseUnion({ all, shapes, next: 0 });
}

/** Tokens of a description, and the position of the next one. */
interface Tokens {
  readonly all: readonly string[];
  readonly shapes: Shapes;
  next: number;
}

function parseUnion(tokens: Tokens): Shape {
  const arms = peek(tokens) === "by" ? [] : parseList(tokens, "|", () => parseIntersection(tokens));
  if (!take(tokens, "by")) return arms.length === 1 ? arms[0]! : union(arms);
  const tag = parseKey(tokens);
  const cases = parseCases(tokens);
  return { ...union(arms.length > 0 ? arms : armsOf(cases)), tag, cases };
}

function parseCases(tokens: Tokens): UnionCase[] {
  const cases: UnionCase[] = [];
  take(tokens, "{");
  while (!take(tokens, "}")) {
    const labels = parseList(tokens, ",", () => parseLabel(tokens));
    take(tokens, ":");
    cases.push({ labels, shape: parseUnion(tokens) });
    take(tokens, ";");
  }
  return cases;
}

function parseLabel(tokens: Tokens): string | number | boolean | undefined {
  const token = nextToken(tokens);
  return token === "undefined" ? undefined : (JSON.parse(token) as string | number | boolean);
}

function parseIntersection(tokens: Tokens): Shape {
  const parts = parseList(tokens, "&", () => parseArrays(tokens));
  if (parts.length === 1) return parts[0]!;
  const expected = parts.map(operand).join(" & ");
  return { kind: "intersection", parts, expected, recursive: parts.some(isDeep) };
}

function parseArrays(tokens: Tokens): Shape {
  let shape = withFormats(tokens, parsePrimary(tokens));
  while (take(tokens, "[")) {
    take(tokens, "]");
    const size = parseLimits(tokens, (limits) => `array with ${limits} items`);
    const expected = shape.kind === "unknown" ? "array" : `${operand(shape)}[]`;
    const { recursive } = shape;
    shape = withFormats(tokens, { kind: "array", element: shape, size, expected, recursive });
  }
  return shape;
}

function withFormats(tokens: Tokens, shape: Shape): Shape {
  if (!peek(tokens)?.startsWith("<")) return shape;
  return { ...shape, formats: nextToken(tokens).slice(1, -1).split(" ") };
}

function parsePrimary(tokens: Tokens): Shape {
  const token = nextToken(tokens);
  switch (token) {
    case "(":
      return parseGroup(tokens);
    case "{":
      return parseObject(tokens);
    case "object":
      return { kind: "object", members: [], index: undefined, ...plain("object") };
    case "unknown":
      return { kind: "unknown", ...plain("any value") };
    case "never":
      return scalar("nothing", () => false);
    case "string":
      return parseString(tokens);
    case "integer":
      return parseNumber(tokens, "integer", isInteger);
    case "number":
      return parseNumber(tokens, "number", isNumber);
    case "boolean":
      return scalar("boolean", (value) => typeof value === "boolean");
    default:
      return isLiteral(token) ? literal(token) : parseReference(tokens, token);
  }
}

function parseGroup(tokens: Tokens): Shape {
  const shape = parseUnion(tokens);
  take(tokens, ")");
  return shape;
}

function parseObject(tokens: Tokens): Shape {
  const members: MemberShape[] = [];
  let index: Shape | undefined;
  while (!take(tokens, "}")) {
    if (take(tokens, "[")) {
      tokens.next += 3;
      index = parseUnion(tokens);
    } else {
      members.push(parseMember(tokens));
    }
    take(tokens, ";");
  }
  const recursive = [...members.map(({ shape }) => shape), ...(index ? [index] : [])].some(isDeep);
  return { kind: "object", members, index, expected: "object", recursive };
}

function parseMember(tokens: Tokens): MemberShape {
  const name = parseKey(tokens);
  const optional = take(tokens, "?");
  take(tokens, ":");
  return { name, optional, shape: parseUnion(tokens) };
}

function parseString(tokens: Tokens): Shape {
  const limits = parseLimits(tokens, (size) => `string with ${size} characters`);
  const { minimum = 0, maximum = Infinity, text = "string" } = limits ?? {};
  const hasSize = (value: unknown) => hasLength(value, minimum, maximum);
  if (!take(tokens, "matching")) return scalar(text, hasSize);
  const pattern = JSON.parse(nextToken(tokens)) as string;
  const expected = `${text} that matches ${pattern}`;
  return scalar(expected, (value) => hasSize(value) && matches(value, pattern));
}

function parseNumber(tokens: Tokens, name: string, isKind: (value: unknown) => boolean): Shape {
  const limits = parseLimits(tokens, (size) => `${name}, ${size}`);
  const { minimum = -Infinity, maximum = Infinity, text = name } = limits ?? {};
  return scalar(text, (value) => isKind(value) && isBetween(value, minimum, maximum));
}

function parseReference(tokens: Tokens, name: string): Shape {
  return { kind: "reference", name, expected: name, recursive: isRecursive(tokens.shapes, name) };
}

/** Reads `(1..5)`, `(1..)` or `(..5)` if that follows. */
function parseLimits(tokens: Tokens, text: (limits: string) => string): Limits | undefined {
  if (!take(tokens, "(")) return undefined;
  const minimum = peek(tokens) === ".." ? undefined : Number(nextToken(tokens));
  take(tokens, "..");
  const maximum = peek(tokens) === ")" ? undefined : Number(nextToken(tokens));
  take(tokens, ")");
  const limits =
    minimum === undefined
      ? `at most ${maximum}`
      : maximum === undefined
        ? `at least ${minimum}`
        : `${minimum} to ${maximum}`;
  return { minimum: minimum ?? -Infinity, maximum: maximum ?? Infinity, text: text(limits) };
}

function parseKey(tokens: Tokens): string {
  const token = nextToken(tokens);
  return token.startsWith('"') ? (JSON.parse(token) as string) : token;
}

function parseList<Item>(tokens: Tokens, separator: string, item: () => Item): Item[] {
  const items = [item()];
  while (take(tokens, separator)) items.push(item());
  return items;
}

function peek(tokens: Tokens): string | undefined {
  return tokens.all[tokens.next];
}

function nextToken(tokens: Tokens): string {
  return tokens.all[tokens.next++]!;
}

function take(tokens: Tokens, token: string): boolean {
  if (peek(tokens) !== token) return false;
  tokens.next++;
  return true;
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
