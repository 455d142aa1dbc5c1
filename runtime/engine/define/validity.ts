import {
  HandlerError,
  InvalidMessageError,
  type Issue,
  type Method,
  type Trace,
  type Validator,
  isObject,
  quote,
} from "../../wire/index.js";

const MAX_NAMED = 5;
/** The maximum length, in UTF-16 units, of the issue list in an error message. */
const MAX_TEXT = 1000;

export function invalidAnswer(row: Method, issues: readonly Issue[]): InvalidMessageError {
  const text = `The result of ${row.method} is invalid: ${summarize(issues)}`;
  return new InvalidMessageError(text, issues);
}

export function invalidResult(
  row: Method,
  params: unknown,
  issues: readonly Issue[],
): HandlerError {
  const problem = `returned an invalid result${forItem(params)}: ${summarize(issues)}`;
  return new HandlerError(row.method, problem);
}

/** Returns a phrase that names the item in a request's parameters: a tool, a prompt or a resource. */
export function forItem(params: unknown): string {
  const { name, uri } = isObject(params) ? params : {};
  const item = name ?? uri;
  return typeof item === "string" ? ` for ${quote(item)}` : "";
}

export function requestsTask(row: Method, params: unknown): boolean {
  return row.taskResult !== undefined && isObject(params) && params["task"] !== undefined;
}

export function issuesOf(validator: Validator, value: unknown): Issue[] {
  const trace: Trace = [];
  validator(value, trace);
  return trace;
}

/** Formats issues as one line that is safe to log: `/name: expected string, received 7; …`. */
export function summarize(issues: readonly Issue[]): string {
  return oneLine(issues, ({ path, expected, received }) => {
    const where = path === "" ? "" : `${path}: `;
    return `${where}expected ${expected}, received ${received}`;
  });
}

/** Formats issues as one line that is safe to log, even if the peer chose the names in it. */
export function oneLine<One>(issues: readonly One[], textOf: (issue: One) => string): string {
  const named = issues.slice(0, MAX_NAMED).map(textOf).join("; ");
  const more = issues.length > MAX_NAMED ? `; and ${issues.length - MAX_NAMED} more` : "";
  const text = named.replace(/\p{Cc}/gu, "\ufffd");
  return (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text) + more;
}
