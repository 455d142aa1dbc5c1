import { type Code, code, EMPTY, join, literal } from "../printer/code.js";
import type { Check, ObjectCheck } from "./check.js";
import { access, condition, mapCondition, memberCondition, type Scope } from "./condition.js";
import { discriminant, type Discriminant } from "./discriminant.js";

/**
 * Returns the statements of a check's function. The function's parameters are `value` and, if nesting levels are
 * counted, `depth`.
 */
export function body(check: Check, scope: Scope): Code {
  switch (check.kind) {
    case "any":
      return code`return true;`;
    case "object":
      return objectBody(check, scope);
    case "anyOf":
      return unionBody(check.arms, scope);
    case "allOf": {
      const parts = check.parts.map((part, index) =>
        condition(part, VALUE, { ...scope, path: `${scope.path}_part${index + 1}` }, "same"),
      );
      return code`return ${join(parts, code` &&\n`)};`;
    }
    default:
      return code`return ${condition(check, VALUE, scope, "own")};`;
  }
}

export function isConstant(check: Check): boolean {
  return check.kind === "any" || check.kind === "never" || isImpossible(check);
}

function isImpossible(check: Check): boolean {
  return (
    check.kind === "object" &&
    check.members.some(({ optional, check: member }) => !optional && member.kind === "never")
  );
}

function objectBody(check: ObjectCheck, scope: Scope): Code {
  const { members, index } = check;
  const { runtime, deep } = scope;
  // In a chain of conditions, a literal `false` would make TypeScript narrow `value` to `never` in the conditions after
  // it, so the body consists only of that literal.
  if (isImpossible(check)) return code`return false;`;
  const named = members.flatMap((member) => memberCondition(member, VALUE, scope));
  const names = members.map(({ name }) => name);
  const rest = index && mapCondition(index, VALUE, scope, deep ? code`depth` : undefined, names);
  const conditions = [...named, ...(rest ? [rest] : [])];
  if (named.length === 0) return code`return ${rest ?? code`${runtime("isObject")}(value)`};`;
  const level = deep ? code` && depth > 0` : EMPTY;
  return code`return ${runtime("isObject")}(value)${level} &&\n${join(conditions, code` &&\n`)};`;
}

function unionBody(arms: readonly Check[], scope: Scope): Code {
  const found = discriminant(arms, scope.functions.declarations);
  return found ? dispatch(found, scope) : code`return ${anyOf(arms, scope)};`;
}

/**
 * Returns a switch over a discriminant. Each alternative tests the discriminant again, because it is one of the
 * alternative's members.
 */
function dispatch({ member, cases }: Discriminant, scope: Scope): Code {
  const { runtime } = scope;
  const branches = cases.map(({ labels, arms }) => {
    const heads = labels.map((label) =>
      label === undefined ? code`case undefined:\n` : code`case ${literal(label)}:\n`,
    );
    return code`${heads}return ${anyOf(arms, scope)};\n`;
  });
  const mayLack = cases.some(({ labels }) => labels.includes(undefined));
  const tag = mayLack
    ? code`${runtime("ownMember")}(value, ${literal(member)})`
    : access(VALUE, member, runtime);
  return code`if (!${runtime("isObject")}(value)) return false;
switch (${tag}) {
${branches}default:
return false;
}`;
}

function anyOf(arms: readonly Check[], scope: Scope): Code {
  const conditions = arms.map((arm, index) =>
    condition(arm, VALUE, { ...scope, path: `${scope.path}_alternative${index + 1}` }, "same"),
  );
  return join(conditions, code` ||\n`);
}

const VALUE = code`value`;
