import { type Code, code, join } from "../printer/code.js";
import { literal } from "../printer/literal.js";
import type { MemberCheck, ObjectCheck } from "./check.js";
import { type Scope, validator } from "./expression.js";
import { locals, memberScope, memberTest } from "./member-test.js";

/**
 * The body for a whole message of JSON-RPC: what all of them have in common is in the runtime. Absent for any other
 * object, and for a message that restricts its envelope in a way of its own.
 */
export function messageBody({ members, index }: ObjectCheck, scope: Scope): Code | undefined {
  if (index || scope.deep) return undefined;
  return requestBody(members, scope) ?? responseBody(members, scope);
}

function requestBody(members: readonly MemberCheck[], scope: Scope): Code | undefined {
  const [method, params, jsonrpc, id, ...others] = members;
  if (others.length > 0 || !method || !params) return undefined;
  const { check } = method;
  if (!isRequired(method, "method") || check.kind !== "literal") return undefined;
  if (params.name !== "params" || params.check.kind === "any") return undefined;
  if (!isRequired(jsonrpc, "jsonrpc") || !isVersion(jsonrpc)) return undefined;
  if (id && !isRequired(id, "id")) return undefined;
  const { runtime } = scope;
  const name = literal(check.value);
  const rest = id ? [id] : [];
  const tests = [params, ...rest].flatMap((member) => memberTest(member, scope));
  const wanted = [params, ...rest].map((member) => memberValidator(member, scope));
  const again = [code`trace, value`, name, literal(params.optional), ...wanted];
  return code`${locals([params, ...rest])}if (${runtime("isEnvelope")}(value)) {
if (${join([code`value["method"] === ${name}`, ...tests], code` &&\n`)}) return true;
if (trace === undefined) return false;
}
return ${runtime("messageMembers")}(${join(again, code`, `)});`;
}

function responseBody(members: readonly MemberCheck[], scope: Scope): Code | undefined {
  const [jsonrpc, id, outcome, ...others] = members;
  if (others.length > 0 || id?.name !== "id" || id.check.kind === "any") return undefined;
  if (!isRequired(jsonrpc, "jsonrpc") || !isVersion(jsonrpc)) return undefined;
  if (!isRequired(outcome, "result") && !isRequired(outcome, "error")) return undefined;
  if (outcome.check.kind === "any") return undefined;
  const parts = [
    memberValidator(id, scope),
    literal(id.optional),
    literal(outcome.name),
    memberValidator(outcome, scope),
  ];
  return code`return ${scope.runtime("isResponse")}(value, trace, ${join(parts, code`, `)});`;
}

function memberValidator({ name, check }: MemberCheck, scope: Scope): Code {
  return validator(check, memberScope(scope, name));
}

function isRequired(member: MemberCheck | undefined, name: string): member is MemberCheck {
  return member !== undefined && member.name === name && !member.optional;
}

function isVersion({ check }: MemberCheck): boolean {
  return check.kind === "literal" && check.value === "2.0";
}
