import type { Method } from "../../link/protocol.js";
import { type Code, code, EMPTY, join } from "../printer/code.js";
import { docText } from "../printer/js-doc.js";
import { literal, objectKey } from "../printer/literal.js";
import type { Check } from "./check.js";
import type { Runtime } from "./condition.js";
import type { Functions } from "./functions.js";
import { callsOf } from "./recursion.js";
import { shapeText } from "./shape-text.js";

/** Tables of descriptions in shapes.ts. */
export type ShapeTable = "shapes" | "messageShapes";

/**
 * Tells which table describes a type: `shapes` has those that parameters and results consist of, `messageShapes` adds
 * whole messages and their unions, which a bundle can do without.
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
 * The text of a module of descriptions, one line per type.
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
        return code`${objectKey(name)}: ${literal(text)},`;
      });
  const others = [...elsewhere].map(([name, validator]) => code`${objectKey(name)}: ${validator},`);
  const shapes = join([...rows("shapes"), ...others], code`\n`);
  const messages = rows("messageShapes");
  const type = runtime("Shapes");
  const more =
    messages.length === 0
      ? EMPTY
      : code`\n\n${docText("The same of whole messages, and of types that no method needs.")}export const messageShapes: ${type} = /* @__PURE__ */ ${runtime("addShapes")}(shapes, {\n${join(messages, code`\n`)}\n});`;
  return code`${docText("Descriptions of types, for the reasons why a value is not of one.")}export const shapes: ${type} = {\n${shapes}\n};${more}`;
}
