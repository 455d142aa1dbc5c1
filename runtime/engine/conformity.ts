import type { Route } from "./binding.js";
import {
  InvalidMessageError,
  type Issue,
  type Method,
  type Trace,
  type Validator,
  formatIssues,
  inLieuOf,
  isObject,
  isValid,
} from "../wire/index.js";

/** Limits of a message about issues: their number, and its length in UTF-16 units. */
const MAX_NAMED = 5;
const MAX_TEXT = 1000;

/** True when the parameters of a received message are valid for its method. */
export function acceptsParams({ row, shared }: Route, params: unknown): boolean {
  if (params === undefined) return row.params === undefined || row.paramsOptional;
  return (
    isObject(params) &&
    (row.params === undefined || row.params(params)) &&
    (shared === undefined || shared(params))
  );
}

/** Issues found by {@link acceptsParams}. */
export function paramsIssues({ row, shared }: Route, params: unknown): Issue[] {
  const own = issuesOf(row.params ?? isObject, params);
  return own.length > 0 || shared === undefined ? own : issuesOf(shared, params);
}

/** True when a result has the structure that its method demands; a task only where the request asked for one. */
export function acceptsResult(row: Method, params: unknown, result: unknown): boolean {
  const validator = validatorFor(row, params, result);
  return validator === undefined || isValid(validator, result, false);
}

/**
 * True when a result of this side may be sent.
 * @param checksContent - true when its content must have the right formats, too
 */
export function isSendable(
  row: Method,
  params: unknown,
  result: unknown,
  checksContent: boolean,
): boolean {
  const validator = validatorFor(row, params, result);
  return validator === undefined || isValid(validator, result, checksContent);
}

/** Issues found by {@link acceptsResult} and {@link isSendable}: those of formats where the structure has none. */
export function resultIssues(row: Method, params: unknown, result: unknown): Issue[] {
  const validator = validatorFor(row, params, result) ?? isObject;
  const issues = issuesOf(validator, result);
  return issues.length > 0 ? issues : formatIssues(validator, result);
}

/** Builds the error for an invalid result. */
export function invalidAnswer(row: Method, params: unknown, result: unknown): InvalidMessageError {
  const issues = resultIssues(row, params, result);
  return new InvalidMessageError(
    `The result of ${row.method} is invalid: ${summarize(issues)}`,
    issues,
  );
}

/** True when a request asks to be turned into a task. */
export function asksForTask(row: Method, params: unknown): boolean {
  return row.taskResult !== undefined && isObject(params) && params["task"] !== undefined;
}

/** Issues as a line, fit for a log whatever names a peer invents: `/name: expected string, received 7; …`. */
export function summarize(issues: readonly Issue[]): string {
  const named = issues
    .slice(0, MAX_NAMED)
    .map(({ path, expected, received }) => {
      const where = path === "" ? "" : `${path}: `;
      return `${where}expected ${expected}, received ${received}`;
    })
    .join("; ");
  const more = issues.length > MAX_NAMED ? `; and ${issues.length - MAX_NAMED} more` : "";
  const text = named.replace(/\p{Cc}/gu, "\ufffd");
  return (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text) + more;
}

/** Validator of a result: that of a task, or of questions, where it is one. */
export function validatorFor(row: Method, params: unknown, result: unknown): Validator | undefined {
  if (row.inputResult && isObject(result) && result["resultType"] === "input_required") {
    return row.inputResult;
  }
  const inLieu = inLieuOf(row, result);
  if (inLieu) return inLieu.result;
  const { result: final, taskResult } = row;
  return taskResult && asksForTask(row, params) && taskResult(result) ? taskResult : final;
}

function issuesOf(validator: Validator, value: unknown): Issue[] {
  const trace: Trace = [];
  validator(value, trace);
  return trace;
}
