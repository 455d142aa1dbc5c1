import type { Side } from "../../../runtime/wire/revision/revision.js";
import type { Trace, Validator } from "../../../runtime/wire/validation/validator.js";
import { type Conversation, otherSide } from "./conversation.js";
import type { Kind, Wire } from "./wire-message.js";

/** Returns the problems of a message: it does not belong to the revision, or its contents are invalid there. */
export function contentProblems(
  conversation: Conversation,
  message: Wire,
  kind: Kind,
  from: Side,
): string[] {
  const { validators } = conversation.package;
  if (kind === "error") return errorProblems(conversation, message);
  const problems = issues("the envelope", validators.JSONRPCMessage as Validator, message);
  if (kind === "result") return [...problems, ...resultProblems(conversation, message, from)];
  return [...problems, ...paramsProblems(conversation, message, kind, from)];
}

/** Returns true if both sides have declared the capabilities that a message needs. */
export function isCapable(
  { package: { revision }, capabilities, isAgreed, isAssumed }: Conversation,
  { method }: Wire,
  kind: Kind,
  from: Side,
): boolean {
  const capability = revision.methods.get(method)?.capability;
  if (capability === undefined || !isAgreed || kind === "result" || kind === "error") return true;
  const [owner, ...path] = capability.split(".");
  const sides: Record<string, Side> = { sender: from, receiver: otherSide(from) };
  const side = sides[owner!] ?? (owner as Side);
  if (side === "server" && isAssumed) return true;
  const declared = capabilities[side];
  return Boolean(path.reduce((value: Wire, name) => value?.[name], declared));
}

function paramsProblems(
  { package: { revision } }: Conversation,
  { method, params }: Wire,
  kind: Kind,
  from: Side,
): string[] {
  const row = revision.methods.get(method);
  if (row?.kind !== kind || row.channel !== "wire") return [`no ${kind} of ${revision.id}`];
  if (row.from !== from && row.from !== "both") return [`not for a ${from} to send`];
  if (params === undefined) return row.params && !row.paramsOptional ? ["no params"] : [];
  const shared = kind === "request" ? revision.requestParams : revision.notificationParams;
  return [
    ...(row.params ? issues("the params", row.params, params) : []),
    ...(shared ? issues("the params", shared, params) : []),
  ];
}

function resultProblems(conversation: Conversation, { id, result }: Wire, from: Side): string[] {
  const requested = conversation.request(otherSide(from), id);
  const row = requested && conversation.package.revision.methods.get(requested.method);
  if (row?.result === undefined) return [];
  if (row.inputResult && result?.resultType === "input_required") {
    return issues(`the interim result of ${row.method}`, row.inputResult, result);
  }
  if (row.taskResult && requested?.params?.task !== undefined && row.taskResult(result)) return [];
  return issues(`the result of ${row.method}`, row.result, result);
}

/**
 * Returns the problems of an error. An error for a message without a readable id has the id `null`, or no id if the
 * revision requires that.
 */
function errorProblems(conversation: Conversation, { id, error }: Wire): string[] {
  const { isAgreed, package: from } = conversation;
  const mayBeNull = !isAgreed || from.revision.traits.errorId === "required";
  const problems = [];
  if (!Number.isInteger(error?.code)) problems.push("an error without a code");
  if (typeof error?.message !== "string") problems.push("an error without a message");
  if (id === null && !mayBeNull) problems.push("an id that is null");
  return problems;
}

function issues(what: string, validator: Validator, value: unknown): string[] {
  const trace: Trace = [];
  if (validator(value, trace)) return [];
  return trace.map(({ path, expected }) => `${what} ${path}: expected ${expected}`);
}
