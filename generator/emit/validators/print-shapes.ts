import { type Code, code, join } from "../printer/code.js";
import { docText } from "../printer/js-doc.js";
import { literal, objectKey } from "../printer/literal.js";
import type { Runtime } from "./condition.js";
import type { Functions } from "./functions.js";
import { shapeText } from "./shape-text.js";

/**
 * The text of a module of descriptions, one line per type.
 *
 * @param names - the declarations of this module
 * @param elsewhere - validators of types that another module describes, as expressions, by name
 */
export function printShapes(
  names: Iterable<string>,
  elsewhere: ReadonlyMap<string, Code>,
  functions: Functions,
  runtime: Runtime,
): Code {
  const { declarations } = functions;
  const own = [...names].map((name) => {
    const mark = functions.isDeepDeclaration(name) ? "recursive " : "";
    const text = mark + shapeText(declarations.get(name)!, declarations);
    return code`${objectKey(name)}: ${literal(text)},`;
  });
  const others = [...elsewhere].map(([name, validator]) => code`${objectKey(name)}: ${validator},`);
  const doc = docText("Descriptions of the types, for the reasons why a value is not of one.");
  return code`${doc}export const shapes: ${runtime("Shapes")} = {\n${join([...own, ...others], code`\n`)}\n};`;
}
