import type { VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";
import { type Code, code, EMPTY } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import { type Check, isSimple, type MemberCheck } from "./check.js";
import { access, call, condition, expectation, type Scope } from "./expression.js";

/** Tells whether a member is right; nothing where it may be anything. */
export function memberTest({ name, optional, check }: MemberCheck, scope: Scope): Code[] {
  if (optional && check.kind === "any") return [];
  const value = access(code`value`, name, scope.runtime);
  if (optional && check.kind === "never") return [code`${value} === undefined`];
  const inner = memberScope(scope, name);
  const test = (read: Code): Code =>
    (isSimple(check) ? condition : call)(check, read, inner, code`depth - 1`);
  if (!optional) return [test(value)];
  const shared = OPTIONAL.get(check.kind);
  return shared && isSimple(check)
    ? [code`${scope.runtime(shared)}(${value})`]
    : [code`((member = ${value}) === undefined || ${test(code`member`)})`];
}

/** The variable that keeps tests of optional members from reading them twice. */
export function locals(members: readonly MemberCheck[]): Code {
  const isNeeded = members.some(
    ({ optional, check }) =>
      optional &&
      !["any", "never"].includes(check.kind) &&
      !(OPTIONAL.has(check.kind) && isSimple(check)),
  );
  return isNeeded ? code`let member: unknown;\n` : EMPTY;
}

/** Name and expectation, as the runtime takes them. */
export function named({ name, optional, check }: MemberCheck, scope: Scope): Code[] {
  if (optional && check.kind === "any") return [];
  const pair = [literal(name), expectation(check, memberScope(scope, name))];
  return optional ? [code`${scope.runtime("maybe")}`, ...pair] : pair;
}

export function memberScope(scope: Scope, name: string): Scope {
  return { ...scope, path: `${scope.path}_${name.replaceAll(/[^A-Za-z0-9_$]+/g, "_")}` };
}

const OPTIONAL: ReadonlyMap<Check["kind"], keyof typeof VALIDATOR_IMPORTS> = new Map([
  ["string", "isOptionalString"],
  ["boolean", "isOptionalBoolean"],
  ["object", "isOptionalObject"],
]);
