import { type Code, code, EMPTY, join } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import type { Check, MemberCheck, ObjectCheck } from "./check.js";
import type { Runtime, Scope } from "./expression.js";
import { failure, loopBody, test } from "./part.js";

/**
 * One line per member. Where members are required, they are read from what the object has of its
 * own; without any, it is enough to ask on failure whether the member is inherited.
 */
export function objectBody({ members, index }: ObjectCheck, scope: Scope): Code {
  const { runtime } = scope;
  const exact = members.some(({ optional }) => !optional);
  const owner = exact ? code`own` : code`value`;
  const lines = members.flatMap((member) => memberLine(member, owner, exact, scope));
  const end = code`trace?.length === start`;
  if (!exact && !index && !scope.deep && lines.length > 0) {
    const tests = join([code`${runtime("isObject")}(value, trace)`, ...lines, end], code` &&\n`);
    return code`const start = trace?.length;\nreturn (\n${tests}\n);`;
  }
  const head = code`if (!${runtime("isObject")}(value, trace)) return false;
${levels(scope)}${exact ? code`const own = ${runtime("ownMembers")}(value, value["__proto__"]);\n` : EMPTY}const start = trace?.length;
${index ? mapLoop(index, members, scope) : EMPTY}`;
  if (lines.length === 0) return code`${head}return ${end};`;
  return code`${head}return (\n${join([...lines, end], code` &&\n`)}\n);`;
}

/** Ends the recursion of a type that can contain itself. */
export function levels({ deep, runtime }: Scope): Code {
  return deep ? code`if (depth < 1) return ${runtime("rejectDepth")}(trace, value);\n` : EMPTY;
}

/**
 * Reads a member of `owner`; by name only where no object inherits something under that name. In brackets, for
 * the compilers of those who set `noPropertyAccessFromIndexSignature`.
 */
export function access(owner: Code, name: string, runtime: Runtime): Code {
  if (INHERITED.has(name)) return code`${runtime("ownMember")}(${owner}, ${literal(name)})`;
  return code`${owner}[${literal(name)}]`;
}

function memberLine(
  { name, optional, check }: MemberCheck,
  owner: Code,
  exact: boolean,
  scope: Scope,
): Code[] {
  if (optional && check.kind === "any") return [];
  const value = access(owner, name, scope.runtime);
  const absent = optional ? code`${value} === undefined || ` : EMPTY;
  const part = { owner, name: literal(name), value, unlessInherited: !exact };
  const inner = { ...scope, path: `${scope.path}_${pathPart(name)}` };
  const right = test(check, part, inner);
  return [code`(${absent}${right ? code`${right} || ` : EMPTY}${failure(check, part, inner)})`];
}

/** Members that are named have their own lines. */
function mapLoop(index: Check, members: readonly MemberCheck[], scope: Scope): Code {
  const part = {
    owner: code`value`,
    name: code`name`,
    value: code`member`,
    unlessInherited: true,
  };
  const named = members.map(({ name }) => code`name === ${literal(name)}`);
  const skip = named.length === 0 ? EMPTY : code`if (${join(named, code` || `)}) continue;\n`;
  const inner = { ...scope, path: `${scope.path}_value` };
  return code`for (const name in value) {
${skip}const member = value[name];
${loopBody(index, part, inner)}}
`;
}

function pathPart(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_$]+/g, "_");
}

const INHERITED: ReadonlySet<string> = new Set([
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "valueOf",
]);
