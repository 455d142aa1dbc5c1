import { type Code, code, EMPTY, join } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import { type Check, isInline } from "./check.js";
import { discriminant, type Discriminant } from "./discriminant.js";
import { expected } from "./expected.js";
import { access, condition, depthFor, type Scope, validator } from "./expression.js";

/** A switch where a member tells the alternatives apart, else one after the other. */
export function unionBody(arms: readonly Check[], scope: Scope): Code {
  const found = discriminant(arms, scope.functions.declarations);
  return found ? dispatch(found, arms, scope) : code`return ${anyOf(arms, scope)};`;
}

function dispatch({ member, cases }: Discriminant, arms: readonly Check[], scope: Scope): Code {
  const { runtime } = scope;
  const labels = cases.flatMap((item) => item.labels);
  const known = labels.flatMap((label) => (label === undefined ? [] : [JSON.stringify(label)]));
  const branches = cases.map((item) => {
    const heads = item.labels.map((label) =>
      label === undefined ? code`case undefined:\n` : code`case ${literal(label)}:\n`,
    );
    return code`${heads}return ${branch(item.arms, scope)};\n`;
  });
  const tag = labels.includes(undefined)
    ? code`${runtime("ownMember")}(value, ${literal(member)})`
    : access(code`value`, member, runtime);
  const wanted = literal(expected({ kind: "anyOf", arms }));
  return code`if (!${runtime("isObject")}(value)) return ${runtime("reject")}(trace, ${wanted}, value);
switch (${tag}) {
${branches}default:
return ${runtime("rejectTag")}(trace, value, ${literal(member)}, ${literal(known.join(" | "))});
}`;
}

/** An alternative checks the discriminant again, as a member of its own. */
function branch(arms: readonly Check[], scope: Scope): Code {
  const [only, ...others] = arms;
  if (others.length > 0) return anyOf(arms, scope);
  return code`${validator(only!, scope)}(value, trace${depthFor(only!, scope, DEPTH)})`;
}

function anyOf(arms: readonly Check[], scope: Scope): Code {
  const tests = arms.map((arm, index) =>
    condition(arm, code`value`, armScope(scope, index), DEPTH),
  );
  return join([...tests, rejection(arms, scope)], code` ||\n`);
}

function rejection(arms: readonly Check[], scope: Scope): Code {
  const { runtime } = scope;
  const wanted = literal(expected({ kind: "anyOf", arms }));
  const compound = arms.flatMap((arm, index) =>
    isInline(arm) ? [] : [validator(arm, armScope(scope, index))],
  );
  if (compound.length === 0) return code`${runtime("reject")}(trace, ${wanted}, value)`;
  const level = scope.deep ? code`, depth` : EMPTY;
  // The list must not be made when this union is just one failing alternative of another.
  return code`(trace !== undefined && ${runtime("rejectUnion")}(trace, ${wanted}, value, [${join(compound, code`, `)}]${level}))`;
}

function armScope(scope: Scope, index: number): Scope {
  return { ...scope, path: `${scope.path}_alternative${index + 1}` };
}

const DEPTH = code`depth`;
