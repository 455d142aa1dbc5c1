import { type Code, code, EMPTY, join } from "../printer/code.js";
import type { MemberCheck, ObjectCheck } from "./check.js";
import { depthFor, type Scope, validator } from "./expression.js";
import { mapLoop } from "./map-loop.js";
import { locals, memberTest, named } from "./member-test.js";

/**
 * One test per member; where one fails, the runtime goes through the members again, to tell what is wrong. Where some are
 * required, the tests are for plain objects only, and the runtime also tells what others inherit. So they are for a type
 * that contains itself, since to do both at each level would double the work at each level.
 */
export function objectBody({ members, index }: ObjectCheck, scope: Scope): Code {
  if (index) return mapBody(index, members, scope);
  const { runtime, deep } = scope;
  const isObject = code`${runtime("isObject")}(value, trace)`;
  const all = members.flatMap((member) => memberTest(member, scope));
  if (all.length === 0) return code`return ${isObject};`;
  const tests = code`(${join(all, code` &&\n`)})`;
  const list = join(
    members.flatMap((member) => named(member, scope)),
    code`, `,
  );
  const again = code`${runtime("ownMembers")}(trace, value, () => [${list}]${deep ? code`, depth` : EMPTY})`;
  const isExact = deep || members.some(({ optional }) => !optional);
  if (!isExact) return code`${locals(members)}return ${isObject} && (${tests} || ${again});`;
  const level = deep ? code` && depth > 0` : EMPTY;
  return code`${locals(members)}if (!${isObject}) return false;
const plain = ${runtime("isPlain")}(value["__proto__"])${level};
return (plain && ${tests}) || ((trace !== undefined || !plain) && ${again});`;
}

/** Ends the recursion of a type that can contain itself. */
export function levels({ deep, runtime }: Scope): Code {
  return deep ? code`if (depth < 1) return ${runtime("rejectDepth")}(trace, value);\n` : EMPTY;
}

function mapBody(
  index: NonNullable<ObjectCheck["index"]>,
  members: readonly MemberCheck[],
  scope: Scope,
): Code {
  const loop = mapLoop(index, members, scope);
  const rest: ObjectCheck = { kind: "object", members };
  const inner = { ...scope, path: `${scope.path}_members` };
  const others =
    members.length === 0
      ? EMPTY
      : code`${validator(rest, inner)}(value, trace${depthFor(rest, scope, code`depth`)}) && `;
  return code`if (!${scope.runtime("isObject")}(value, trace)) return false;
${levels(scope)}const start = trace?.length;
${loop}return ${others}trace?.length === start;`;
}
