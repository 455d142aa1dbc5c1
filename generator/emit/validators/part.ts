import { type Code, code, EMPTY } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import { type Check, isInline } from "./check.js";
import { expected } from "./expected.js";
import { condition, depthFor, type Scope, validator } from "./expression.js";

/** Something inside of the value that is being validated. */
export interface Part {
  /** Variable that holds the array or object. */
  readonly owner: Code;
  /** Name or index, as an expression. */
  readonly name: Code;
  /** Expression that reads it. */
  readonly value: Code;
  /** Whether it does not count when it is inherited. */
  readonly unlessInherited: boolean;
}

/** Tells whether a part is right. Absent where nothing can be. */
export function test(check: Check, { value }: Part, scope: Scope): Code | undefined {
  return check.kind === "never" ? undefined : condition(check, value, scope, BELOW);
}

/**
 * Reports a part that is not right. The report is true only while issues are being collected, so
 * that without a trace the first failure ends everything.
 */
export function failure(check: Check, part: Part, scope: Scope): Code {
  const { runtime } = scope;
  const place = code`trace, ${part.owner}, ${part.name}`;
  if (isInline(check)) {
    const report = runtime(part.unlessInherited ? "reportOwn" : "report");
    return code`${report}(${place}, ${literal(expected(check))})`;
  }
  const within = runtime(part.unlessInherited ? "withinOwn" : "within");
  return code`${within}(${place}, ${validator(check, scope)}${depthFor(check, scope, BELOW)})`;
}

/** The statements of a loop over parts. */
export function loopBody(check: Check, part: Part, scope: Scope): Code {
  const right = test(check, part, scope);
  const next = right ? code`if (${right}) continue;\n` : EMPTY;
  return code`${next}if (!${failure(check, part, scope)}) return false;\n`;
}

const BELOW = code`depth - 1`;
