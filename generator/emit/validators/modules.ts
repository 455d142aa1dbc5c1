import type { Method, Protocol } from "../../link/protocol.js";
import type { Shapes } from "../../model/shape.js";
import { type Code, code, EMPTY, identifier, join, literal } from "../printer/code.js";
import { type Check, callsOf } from "./check.js";
import type { Runtime } from "./condition.js";
import { Functions, PAYLOADS } from "./functions.js";
import { type Printed, printFunctions, validatorModule } from "./print-functions.js";
import { printMessageShapes, printShapes } from "./shapes.js";
import { subjects } from "./subjects.js";

type Source = Pick<Protocol, "declarations" | "synthesized" | "formats" | "methods"> & {
  readonly shapes: Shapes;
};

/**
 * Returns the modules for validators and descriptions, by name. `payloads` contains the types in parameters and
 * results; `validators` exports these and adds all others, such as whole messages, which few programs need.
 *
 * @param shared - additional types to which method tables refer
 */
export function validatorModules(
  source: Source,
  runtime: Runtime,
  shared: readonly string[] = [],
): Readonly<Record<"payloads" | "validators" | "shapes" | "message-shapes", Code>> {
  const found = subjects(source, source.shapes);
  const { described } = found;
  const functions = new Functions(found);
  const isPayload = payloadTest(source.methods, shared, functions.declarations);
  const names = [...functions.declarations.keys()];
  const messages = names.filter((name) => !isPayload(name));
  const printed = printFunctions([...found.exported], described, functions, runtime, isPayload);
  const payloads = partOf(printed, isPayload);
  const exported = join([...payloads.rows.keys()].map(identifier), COMMA);
  const others = validatorModule(without(printed, payloads));
  return {
    payloads: code`${validatorModule(payloads)}${exportsFor(others)}`,
    validators: code`export { ${exported} } from ${literal(PAYLOADS)};\n\n${others}`,
    shapes: printShapes(names.filter(isPayload), described, functions, runtime),
    "message-shapes": printMessageShapes(messages, described, functions, runtime),
  };
}

function payloadTest(
  methods: readonly Method[],
  shared: readonly string[],
  declarations: ReadonlyMap<string, Check>,
): (name: string) => boolean {
  const needed = new Set(shared);
  for (const { params, result } of methods) {
    if (params) needed.add(params.type);
    for (const { type } of result ? [result, ...result.alternatives] : []) needed.add(type);
  }
  for (const name of needed) {
    const check = declarations.get(name);
    for (const inner of check ? callsOf(check) : []) needed.add(inner);
  }
  return (name) => needed.has(name);
}

/** Returns a selection of the validators, with all functions that they call. */
function partOf({ rows, functions }: Printed, isPart: (name: string) => boolean): Printed {
  const own = new Map([...rows].filter(([name]) => isPart(name)));
  const called = new Set([...own.values()].flatMap(calledBy));
  for (const name of called) for (const inner of calledBy(functions.get(name)!)) called.add(inner);
  return { rows: own, functions: new Map([...functions].filter(([name]) => called.has(name))) };
}

function without({ rows, functions }: Printed, part: Printed): Printed {
  return {
    rows: new Map([...rows].filter(([name]) => !part.rows.has(name))),
    functions: new Map([...functions].filter(([name]) => !part.functions.has(name))),
  };
}

function exportsFor(module: Code): Code {
  const names = [...new Set(calledBy(module))];
  if (names.length === 0) return EMPTY;
  return code`// Functions for validators of whole messages.\nexport { ${join(names.map(identifier), COMMA)} };`;
}

/** Returns the names of the functions that the code refers to by import. */
function calledBy({ parts }: Code): string[] {
  return parts.flatMap((part) =>
    typeof part === "object" && part.from === PAYLOADS ? [part.name] : [],
  );
}

const COMMA = code`, `;
