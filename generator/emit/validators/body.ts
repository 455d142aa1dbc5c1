import { type Code, code, EMPTY, join } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import type { ArrayCheck, Check } from "./check.js";
import { isBounded, isInline, isSimple } from "./check.js";
import { expected, expectedSize } from "./expected.js";
import {
  call,
  condition,
  depthFor,
  expectation,
  runtimeValidator,
  type Scope,
  validator,
} from "./expression.js";
import { messageBody } from "./message-body.js";
import { levels, objectBody } from "./object-body.js";
import { unionBody } from "./union-body.js";

/** The statements of the function for a check; its parameters are `value`, `trace` and perhaps `depth`. */
export function body(check: Check, scope: Scope): Code {
  const { runtime } = scope;
  if (check.kind === "any") return code`return true;`;
  const own = runtimeValidator(check, runtime);
  if (own) return code`return ${own}(value, trace);`;
  if (isInline(check)) {
    const test =
      check.kind === "never" ? EMPTY : code`${condition(check, VALUE, scope, EMPTY)} || `;
    return code`return ${test}${rejection(check, scope)};`;
  }
  switch (check.kind) {
    case "call":
      return code`return ${validator(check, scope)}(value, trace${depthFor(check, scope, code`depth`)});`;
    case "array":
      return arrayBody(check, scope);
    case "object":
      return messageBody(check, scope) ?? objectBody(check, scope);
    case "anyOf":
      return unionBody(check.arms, scope);
    default:
      return intersectionBody(check.kind === "allOf" ? check.parts : [], scope);
  }
}

function arrayBody(check: ArrayCheck, scope: Scope): Code {
  const { runtime } = scope;
  const { element, minItems, maxItems } = check;
  const limits = [
    ...(minItems === undefined ? [] : [code`value.length < ${literal(minItems)}`]),
    ...(maxItems === undefined ? [] : [code`value.length > ${literal(maxItems)}`]),
  ];
  const size = isBounded(check)
    ? code`if (${join(limits, code` || `)}) return ${runtime("reject")}(trace, ${literal(expectedSize(check))}, value);\n`
    : EMPTY;
  const rest = element.kind === "any" ? code`return true;` : elementLoop(element, scope);
  return code`if (!${runtime("isArray")}(value, trace)) return false;\n${levels(scope)}${size}${rest}`;
}

function elementLoop(element: Check, scope: Scope): Code {
  const inner = { ...scope, path: `${scope.path}_item` };
  const below = code`depth - 1`;
  const again = code`trace, value, ${expectation(element, inner)}${depthFor(element, scope, below)}`;
  return code`let index = 0;
while (index < value.length && ${(isSimple(element) ? condition : call)(element, code`value[index]`, inner, below)}) index++;
return index === value.length || ${scope.runtime("elements")}(${again});`;
}

/** Each part adds its own issues. */
function intersectionBody(parts: readonly Check[], scope: Scope): Code {
  const lines = parts.map((part, index) => {
    const scoped = { ...scope, path: `${scope.path}_part${index + 1}` };
    const level = depthFor(part, scope, code`depth`);
    return code`(${validator(part, scoped)}(value, trace${level}) || trace !== undefined) &&\n`;
  });
  return code`const start = trace?.length;\nreturn (\n${lines}trace?.length === start\n);`;
}

function rejection(check: Check, { runtime }: Scope): Code {
  return code`${runtime("reject")}(trace, ${literal(expected(check))}, value)`;
}

const VALUE = code`value`;
