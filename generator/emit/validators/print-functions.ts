import {
  type Code,
  code,
  EMPTY,
  identifier,
  type ImportedSymbol,
  importTypeNamespace,
  join,
  literal,
} from "../printer/code.js";
import { body, isConstant } from "./body.js";
import { type Check, runtimeTest } from "./check.js";
import type { Runtime, Scope } from "./condition.js";
import { type ContentTests, contentTests } from "./content.js";
import type { Functions } from "./functions.js";
import { MESSAGE_SHAPES, SHAPES } from "./shapes.js";

/** Validators, and the functions that they call, by name. */
export interface Printed {
  readonly rows: ReadonlyMap<string, Code>;
  readonly functions: ReadonlyMap<string, Code>;
}

/**
 * Prints validators, their tests, and content tests. Each test is followed by the private tests that it is the first to
 * need.
 *
 * @param described - the checks by name, including formats
 * @param isPayload - false for types that {@link MESSAGE_SHAPES} describes
 */
export function printFunctions(
  exported: readonly (readonly [string, Check])[],
  described: ReadonlyMap<string, Check>,
  functions: Functions,
  runtime: Runtime,
  isPayload: (name: string) => boolean = () => true,
): Printed {
  const contents = contentTests(described, functions, runtime);
  const rows = new Map<string, Code>();
  for (const [name, check] of exported) {
    const shapes = isPayload(name) ? SHAPES : MESSAGE_SHAPES;
    rows.set(name, printRow(name, check, shapes, contents, functions, runtime));
  }
  const printed = new Map<string, Code>();
  const add = (name: string, check: Check, path: string, deep: boolean): void => {
    printed.set(name, printTest(name, check, { functions, runtime, path, deep }));
  };
  for (const [name, check] of exported) {
    if (check.kind !== "call" && !runtimeTest(check) && !functions.isShared(name))
      add(functions.nameOf(name), check, name, functions.isDeepDeclaration(name));
    for (let next = functions.nextPending(); next; next = functions.nextPending())
      add(next.name, next.check, next.path, functions.isDeep(next.check));
  }
  for (const name of described.keys()) {
    const content = contents.print(name);
    if (content) printed.set(functions.contentNameOf(name), content);
  }
  return { rows, functions: printed };
}

/**
 * Returns a module that contains the validators as a table, followed by the functions. Functions from other modules are
 * imported.
 */
export function validatorModule({ rows, functions }: Printed): Code {
  if (rows.size === 0) return code`export {};`;
  const table = code`// prettier-ignore\nexport const\n${join([...rows.values()], code`,\n`)};`;
  const { parts } = code`${table}\n\n${[...functions.values()]}`;
  return {
    parts: parts.map((part) =>
      typeof part === "object" && functions.has(part.name) ? part.name : part,
    ),
  };
}

function printRow(
  name: string,
  check: Check,
  shapes: ImportedSymbol,
  contents: ContentTests,
  functions: Functions,
  runtime: Runtime,
): Code {
  const type = code`${importTypeNamespace("types", "./types.js")}.${identifier(name)}`;
  const shared = runtimeTest(functions.inlined(check));
  const test = shared ? runtime(shared) : functions.testOf(name);
  const content = contents.of(name);
  const args = join([shapes, literal(name), test, ...(content ? [content] : [])], code`, `);
  const wrapped = code`/* @__PURE__ */ ${runtime("validator")}(${args})`;
  return code`  ${identifier(name)}: ${runtime("Validator")}<${type}> = ${wrapped}`;
}

function printTest(name: string, check: Check, scope: Scope): Code {
  const depth = scope.deep ? code`, depth: number = ${scope.runtime("MAX_DEPTH")}` : EMPTY;
  const value = isConstant(check) ? code`_value` : code`value`;
  return code`function ${identifier(name)}(${value}: unknown${depth}): boolean {\n${body(check, scope)}\n}\n\n`;
}
