import { type Code, code, EMPTY } from "../printer/code.js";
import { identifier } from "../printer/identifier.js";
import { literal } from "../printer/literal.js";
import { importTypeNamespace, importValue } from "../printer/symbol.js";
import { body } from "./body.js";
import type { Check } from "./check.js";
import type { Runtime } from "./condition.js";
import type { Functions } from "./functions.js";
import { runtimeTest } from "./runtime-test.js";

/** The text of a module of validators: each with its test, and with the private tests that it is the first to need. */
export function printFunctions(
  exported: Iterable<readonly [string, Check]>,
  functions: Functions,
  runtime: Runtime,
): Code {
  const printed = [...exported].map(([name, check]) => {
    const own = printValidator(name, check, functions, runtime);
    const privates: Code[] = [];
    for (let next = functions.nextPending(); next; next = functions.nextPending()) {
      const { name: test, check: inner } = next;
      privates.push(printTest(test, inner, test.slice(2), functions.isDeep(inner), functions, runtime));
    }
    return code`${own}${privates}`;
  });
  return code`${printed}`;
}

function printValidator(name: string, check: Check, functions: Functions, runtime: Runtime): Code {
  const type = code`${importTypeNamespace("types", "./types.js")}.${identifier(name)}`;
  const shapes = importValue("shapes", "./shapes.js");
  const shared = runtimeTest(check);
  const own = functions.testOf(name);
  const test = shared
    ? code`${runtime(shared)}`
    : check.kind === "call"
      ? functions.reference(check, name)
      : identifier(own);
  const made = code`/* @__PURE__ */ ${runtime("validator")}(${shapes}, ${literal(name)}, ${test})`;
  const validator = code`export const ${identifier(name)}: ${runtime("Validator")}<${type}> = ${made};\n\n`;
  if (shared || check.kind === "call" || functions.isShared(name)) return validator;
  const deep = functions.isDeepDeclaration(name);
  return code`${validator}${printTest(own, check, name, deep, functions, runtime)}`;
}

function printTest(
  name: string,
  check: Check,
  path: string,
  deep: boolean,
  functions: Functions,
  runtime: Runtime,
): Code {
  const depth = deep ? code`, depth: number = ${runtime("MAX_DEPTH")}` : EMPTY;
  const text = body(check, { functions, runtime, path, deep });
  return code`function ${identifier(name)}(value: unknown${depth}): boolean {\n${text}\n}\n\n`;
}
