import { type Check, type MemberCheck, callsOf } from "./check.js";
import { discriminant } from "./discriminant.js";
import type { Method } from "../../link/protocol.js";
import { type Code, code, EMPTY, join, literal, objectKey } from "../printer/code.js";
import { docText } from "../printer/doc.js";
import type { Runtime } from "./condition.js";
import type { Functions } from "./functions.js";

/**
 * Description of a type in the notation that the runtime's `explain` reads: that of TypeScript types, with a few
 * additions. Formats are in angle brackets: `string<uri>`. A union with a discriminant states it: `by type { "text":
 * TextContent; "image": ImageContent }`.
 */
export function shapeText(check: Check, declarations: ReadonlyMap<string, Check>): string {
  const { format, ...plain } = check;
  if (format === undefined) return plainText(check, declarations);
  return `${operand(plain, (inner) => plainText(inner, declarations))}<${format}>`;
}

/** Name of a declaration in the notation, which reserves a few words. */
export function shapeName(name: string): string {
  return /^\$*(?:by|integer|recursive)$/.test(name) ? `$${name}` : name;
}

function plainText(check: Check, declarations: ReadonlyMap<string, Check>): string {
  const text = (inner: Check): string => shapeText(inner, declarations);
  switch (check.kind) {
    case "any":
      return "unknown";
    case "literal":
      return JSON.stringify(check.value);
    case "string":
      return `string${limits(check.minLength, check.maxLength)}${matching(check.pattern)}`;
    case "number":
      return `${check.integer ? "integer" : "number"}${limits(check.minimum, check.maximum)}`;
    case "array":
      return `${operand(check.element, text)}[]${limits(check.minItems, check.maxItems)}`;
    case "object": {
      const members = check.members.map((member) => memberText(member, text));
      const index = check.index ? [`[name]: ${text(check.index)}`] : [];
      const all = [...members, ...index];
      return all.length === 0 ? "object" : `{ ${all.join("; ")} }`;
    }
    case "anyOf":
      return unionText(check.arms, declarations, text);
    case "allOf":
      return check.parts.map((part) => operand(part, text)).join(" & ");
    case "call":
      return shapeName(check.name);
    default:
      return check.kind;
  }
}

function unionText(
  arms: readonly Check[],
  declarations: ReadonlyMap<string, Check>,
  text: (check: Check) => string,
): string {
  const union = (parts: readonly Check[]): string => parts.map(text).join(" | ");
  const found = discriminant(arms, declarations);
  if (!found) return union(arms);
  const cases = found.cases.map(({ labels, arms: selected }) => {
    const names = labels.map((label) =>
      label === undefined ? "undefined" : JSON.stringify(label),
    );
    return `${names.join(", ")}: ${union(selected)}`;
  });
  const selectable = found.cases.flatMap((one) => one.arms);
  const isSame =
    [...new Set(selectable.map(text))].join(" | ") === union(arms) &&
    selectable.every(({ kind }) => kind === "call");
  return `${isSame ? "" : `${union(arms)} `}by ${key(found.member)} { ${cases.join("; ")} }`;
}

function memberText(
  { name, optional, check }: MemberCheck,
  text: (check: Check) => string,
): string {
  return `${key(name)}${optional ? "?" : ""}: ${text(check)}`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function operand(check: Check, text: (check: Check) => string): string {
  const isBare = check.format === undefined && (check.kind === "anyOf" || check.kind === "allOf");
  return isBare ? `(${text(check)})` : text(check);
}

function matching(pattern: string | undefined): string {
  return pattern === undefined ? "" : ` matching ${JSON.stringify(pattern)}`;
}

function limits(minimum: number | undefined, maximum: number | undefined): string {
  if ((minimum ?? maximum) === undefined) return "";
  return `(${minimum ?? ""}..${maximum ?? ""})`;
}

/** Tables of descriptions in shapes.ts. */
export type ShapeTable = "shapes" | "messageShapes";

/**
 * Determines which table describes a type: `shapes` contains those used in parameters and results, `messageShapes`
 * adds whole messages and their unions, which a bundle can omit.
 */
export function tablesOf(
  methods: readonly Method[],
  declarations: ReadonlyMap<string, Check>,
): (name: string) => ShapeTable {
  const needed = new Set<string>();
  const queue = methods.flatMap(({ params, result }) => [
    ...(params ? [params.type] : []),
    ...(result ? [result.type, ...result.alternatives.map(({ type }) => type)] : []),
  ]);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const check = declarations.get(name);
    if (needed.has(name) || !check) continue;
    needed.add(name);
    queue.push(...callsOf(check));
  }
  return (name) => (needed.has(name) ? "shapes" : "messageShapes");
}

/**
 * Text of a module of descriptions, one line per type.
 *
 * @param names - the declarations of this module
 * @param declarations - checks by name, with formats
 * @param elsewhere - validators of types that another module describes, as expressions, by name
 */
export function printShapes(
  names: readonly string[],
  tableOf: (name: string) => ShapeTable,
  elsewhere: ReadonlyMap<string, Code>,
  declarations: ReadonlyMap<string, Check>,
  functions: Functions,
  runtime: Runtime,
): Code {
  const rows = (table: ShapeTable): Code[] =>
    names
      .filter((name) => tableOf(name) === table)
      .map((name) => {
        const mark = functions.isDeepDeclaration(name) ? "recursive " : "";
        const text = mark + shapeText(declarations.get(name)!, declarations);
        return code`${objectKey(shapeName(name))}: ${literal(text)},`;
      });
  const others = [...elsewhere].map(
    ([name, validator]) => code`${objectKey(shapeName(name))}: ${validator},`,
  );
  const shapes = join([...rows("shapes"), ...others], code`\n`);
  const messages = rows("messageShapes");
  const type = runtime("Shapes");
  const more =
    messages.length === 0
      ? EMPTY
      : code`\n\n${docText("Descriptions of whole messages, and of types that no method uses.")}export const messageShapes: ${type} = /* @__PURE__ */ ${runtime("addShapes")}(shapes, {\n${join(messages, code`\n`)}\n});`;
  return code`${docText("Descriptions of types, to explain why a value is invalid.")}export const shapes: ${type} = {\n${shapes}\n};${more}`;
}
