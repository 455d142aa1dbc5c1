import { type Code, code, EMPTY, join } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import type { Check, MemberCheck } from "./check.js";
import { condition, depthFor, expectation, type Scope } from "./expression.js";

/** Goes through all members but those that are named. */
export function mapLoop(index: Check, members: readonly MemberCheck[], scope: Scope): Code {
  const others = members.map(({ name }) => code`name === ${literal(name)}`);
  const skip = others.length === 0 ? EMPTY : code`if (${join(others, code` || `)}) continue;\n`;
  const inner = { ...scope, path: `${scope.path}_value` };
  const level = depthFor(index, scope, code`depth - 1`);
  return code`for (const name in value) {
${skip}const member = value[name];
if (${condition(index, code`member`, inner, code`depth - 1`)}) continue;
if (!${scope.runtime("withinOwn")}(trace, value, name, ${expectation(index, inner)}${level})) return false;
}
`;
}
