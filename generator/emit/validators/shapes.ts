import { type Check, isBounded, type ObjectCheck, type StringCheck } from "./check.js";
import { discriminant } from "./discriminant.js";
import {
  type Code,
  code,
  type ImportedSymbol,
  importValue,
  join,
  literal,
  objectKey,
} from "../printer/code.js";
import { docText } from "../printer/doc.js";
import { limits, type Runtime } from "./condition.js";
import type { Functions } from "./functions.js";

interface Scope {
  readonly functions: Functions;
  readonly runtime: Runtime;
  /** The checks by name, including formats. */
  readonly declarations: ReadonlyMap<string, Check>;
}

function shapeCode(check: Check, scope: Scope): Code {
  const { format } = check;
  const plain = plainShape(check, scope);
  if (format === undefined) return plain;
  return call("formatted", [plain, ...format.split(" ").map((name) => literal(name))], scope);
}

function plainShape(check: Check, scope: Scope): Code {
  const { runtime, functions } = scope;
  const shape = (inner: Check): Code => shapeCode(inner, scope);
  switch (check.kind) {
    case "any":
      return code`${runtime("anything")}`;
    case "never":
      return code`${runtime("nothing")}`;
    case "boolean":
      return code`${runtime("boolean")}`;
    case "null":
      return call("literal", [code`null`], scope);
    case "literal":
      return call("literal", [literal(check.value)], scope);
    case "string":
      return stringShape(check, scope);
    case "number": {
      const { minimum, maximum } = check;
      const kind = code`${runtime(check.integer ? "integer" : "number")}`;
      if ((minimum ?? maximum) === undefined) return kind;
      return call("between", [kind, limits(minimum, maximum)], scope);
    }
    case "array": {
      const size = isBounded(check) ? [limits(check.minItems, check.maxItems)] : [];
      return call("array", [shape(check.element), ...size], scope);
    }
    case "object":
      return objectShape(check, scope);
    case "anyOf":
      return unionShape(check.arms, scope);
    case "allOf":
      return call("allOf", check.parts.map(shape), scope);
    case "call": {
      const kind = functions.isDeepDeclaration(check.name) ? "recursive" : "reference";
      return call(kind, [literal(check.name)], scope);
    }
  }
}

function stringShape({ minLength, maxLength, pattern }: StringCheck, scope: Scope): Code {
  const isPlain = (minLength ?? maxLength) === undefined;
  const size = isPlain
    ? code`${scope.runtime("string")}`
    : call("sized", [limits(minLength, maxLength)], scope);
  return pattern === undefined ? size : call("matching", [size, literal(pattern)], scope);
}

function objectShape({ members, index }: ObjectCheck, scope: Scope): Code {
  const rows = members.map(({ name, optional, check }) => {
    const shape = shapeCode(check, scope);
    return code`${objectKey(name)}: ${optional ? call("maybe", [shape], scope) : shape}`;
  });
  const rest = index ? [shapeCode(index, scope)] : [];
  if (rows.length === 0 && rest.length === 0) return call("object", [], scope);
  return call("object", [rows.length > 0 ? braces(rows) : code`{}`, ...rest], scope);
}

function unionShape(arms: readonly Check[], scope: Scope): Code {
  const shape = (check: Check): Code => shapeCode(check, scope);
  const union = (parts: readonly Check[]): Code =>
    parts.length === 1 ? shape(parts[0]!) : call("anyOf", parts.map(shape), scope);
  const found = discriminant(arms, scope.declarations);
  if (!found) return union(arms);
  const cases = found.cases.map(({ labels, arms: selected }) => {
    const values = labels.map((label) => (label === undefined ? code`undefined` : literal(label)));
    return brackets([brackets(values), union(selected)]);
  });
  const selectable = found.cases.flatMap((one) => one.arms);
  const isSame =
    [...new Set(selectable.map(key))].join() === arms.map(key).join() &&
    selectable.every(({ kind }) => kind === "call");
  const given = isSame ? [] : [brackets(arms.map(shape))];
  return call("tagged", [literal(found.member), brackets(cases), ...given], scope);
}

function key(check: Check): string {
  return JSON.stringify(check);
}

function call(name: Constructor, args: readonly Code[], { runtime }: Scope): Code {
  return code`${runtime(name)}(${join(args, COMMA)})`;
}

function brackets(items: readonly Code[]): Code {
  return code`[${join(items, COMMA)}]`;
}

function braces(rows: readonly Code[]): Code {
  return code`{ ${join(rows, COMMA)} }`;
}

const COMMA = code`, `;

type Constructor = Parameters<Runtime>[0];

export const SHAPES: ImportedSymbol = importValue("shapes", "./shapes.js");
export const MESSAGE_SHAPES: ImportedSymbol = importValue("messageShapes", "./message-shapes.js");

/**
 * Returns a module of type descriptions.
 *
 * @param names - the declarations in this module
 * @param declarations - the checks by name, including formats
 * @param elsewhere - the validators of types that another module describes, by name
 */
export function printShapes(
  names: readonly string[],
  declarations: ReadonlyMap<string, Check>,
  functions: Functions,
  runtime: Runtime,
  elsewhere: ReadonlyMap<string, Code> = new Map(),
): Code {
  const own = shapeRows(names, { functions, runtime, declarations });
  const others = [...elsewhere].map(
    ([name, validator]) => code`${objectKey(name)}: () => ${validator},`,
  );
  const rows = join([...own, ...others], code`\n`);
  return code`${docText("Descriptions of types, to explain why a value is invalid.")}export const shapes: ${runtime("Shapes")} = {\n${rows}\n};`;
}

/** Returns a module that adds the descriptions of these types to another module's descriptions. */
export function printMessageShapes(
  names: readonly string[],
  declarations: ReadonlyMap<string, Check>,
  functions: Functions,
  runtime: Runtime,
): Code {
  const rows = join(shapeRows(names, { functions, runtime, declarations }), code`\n`);
  return code`${docText("Descriptions of whole messages, and of types that no method uses.")}export const messageShapes: ${runtime("Shapes")} = /* @__PURE__ */ ${runtime("addShapes")}(${SHAPES}, {\n${rows}\n});`;
}

function shapeRows(names: readonly string[], scope: Scope): Code[] {
  return names.map((name) => {
    const shape = shapeCode(scope.declarations.get(name)!, scope);
    const isDeep = scope.functions.isDeepDeclaration(name);
    return code`${objectKey(name)}: () => ${isDeep ? call("deep", [shape], scope) : shape},`;
  });
}
