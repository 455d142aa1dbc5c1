import { type Code, code, EMPTY } from "../printer/code.js";
import { identifier } from "../printer/identifier.js";
import { importTypeNamespace } from "../printer/symbol.js";
import { body } from "./body.js";
import type { Check } from "./check.js";
import type { Runtime } from "./expression.js";
import type { Functions } from "./functions.js";

/** The functions of a module of validators, each exported one with the private ones that it is the first to need. */
export function printFunctions(
  exported: Iterable<readonly [string, Check]>,
  functions: Functions,
  runtime: Runtime,
): Code {
  const printed = [...exported].map(([name, check]) => {
    const own = printExported(name, check, functions, runtime);
    const privates: Code[] = [];
    for (let next = functions.nextPending(); next; next = functions.nextPending()) {
      privates.push(printPrivate(next.name, next.check, functions, runtime));
    }
    return code`${own}${privates}`;
  });
  return code`${LEGEND}\n\n${printed}`;
}

const LEGEND = code`// What is right takes tests and nothing else. Members are gone through again when something is wrong and
// somebody wants to know what, or when an object is not a plain one.`;

function printExported(name: string, check: Check, functions: Functions, runtime: Runtime): Code {
  const type = code`${importTypeNamespace("types", "./types.js")}.${identifier(name)}`;
  const shared = functions.sharedBody(name, check);
  const deep = functions.isDeepExport(name, shared);
  const text = body(shared, { functions, runtime, path: name, deep });
  if (deep) {
    return code`export function ${identifier(name)}(${parameters(deep, runtime)}): value is ${type} {\n${text}\n}\n\n`;
  }
  return code`export const ${identifier(name)}: ${runtime("Validator")}<${type}> = (value, trace): value is ${type} => {\n${text}\n};\n\n`;
}

function printPrivate(name: string, check: Check, functions: Functions, runtime: Runtime): Code {
  const deep = functions.isDeep(check);
  const text = body(check, { functions, runtime, path: name, deep });
  return code`function ${identifier(name)}(${parameters(deep, runtime)}): boolean {\n${text}\n}\n\n`;
}

function parameters(deep: boolean, runtime: Runtime): Code {
  const depth = deep ? code`, depth: number = ${runtime("MAX_DEPTH")}` : EMPTY;
  return code`value: unknown, trace?: ${runtime("Trace")}${depth}`;
}
