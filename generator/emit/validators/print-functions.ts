import {
  type Code,
  code,
  EMPTY,
  identifier,
  importTypeNamespace,
  importValue,
  join,
  literal,
} from "../printer/code.js";
import { body, isConstant } from "./body.js";
import { type Check, runtimeTest } from "./check.js";
import type { Runtime, Scope } from "./condition.js";
import { type ContentTests, contentTests } from "./content.js";
import type { Functions } from "./functions.js";
import type { ShapeTable } from "./shapes.js";

/**
 * Returns the validators of a module as a table, followed by their tests and by tests of content. Each test is
 * followed by the private tests that it is the first to need.
 *
 * @param described - checks by name, with formats
 */
export function printFunctions(
  exported: readonly (readonly [string, Check])[],
  described: ReadonlyMap<string, Check>,
  tableOf: (name: string) => ShapeTable,
  functions: Functions,
  runtime: Runtime,
): Code {
  if (exported.length === 0) return code`export {};`;
  const contents = contentTests(described, functions, runtime);
  const rows = exported.map(([name, check]) =>
    printRow(name, check, tableOf(name), contents, functions, runtime),
  );
  const contentParts = [...described.keys()].map((name) => contents.print(name));
  const tests = exported.map(([name, check]) => {
    const own = printOwnTest(name, check, functions, runtime);
    const privates: Code[] = [];
    for (let next = functions.nextPending(); next; next = functions.nextPending()) {
      const deep = functions.isDeep(next.check);
      privates.push(
        printTest(next.name, next.check, { functions, runtime, path: next.path, deep }),
      );
    }
    return code`${own}${privates}`;
  });
  return code`// prettier-ignore\nexport const\n${join(rows, code`,\n`)};\n\n${tests}${contentParts}`;
}

function printRow(
  name: string,
  check: Check,
  table: ShapeTable,
  contents: ContentTests,
  functions: Functions,
  runtime: Runtime,
): Code {
  const type = code`${importTypeNamespace("types", "./types.js")}.${identifier(name)}`;
  const shapes = importValue(table, "./shapes.js");
  const shared = runtimeTest(functions.inlined(check));
  const test = shared ? runtime(shared) : functions.testOf(name);
  const content = contents.of(name);
  const args = join([shapes, literal(name), test, ...(content ? [content] : [])], code`, `);
  const wrapped = code`/* @__PURE__ */ ${runtime("validator")}(${args})`;
  return code`  ${identifier(name)}: ${runtime("Validator")}<${type}> = ${wrapped}`;
}

function printOwnTest(name: string, check: Check, functions: Functions, runtime: Runtime): Code {
  if (check.kind === "call" || runtimeTest(check) || functions.isShared(name)) return EMPTY;
  const deep = functions.isDeepDeclaration(name);
  return printTest(functions.nameOf(name), check, { functions, runtime, path: name, deep });
}

function printTest(name: string, check: Check, scope: Scope): Code {
  const depth = scope.deep ? code`, depth: number = ${scope.runtime("MAX_DEPTH")}` : EMPTY;
  const value = isConstant(check) ? code`_value` : code`value`;
  return code`function ${identifier(name)}(${value}: unknown${depth}): boolean {\n${body(check, scope)}\n}\n\n`;
}
