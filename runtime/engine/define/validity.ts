import {
  HandlerError,
  InvalidMessageError,
  type Issue,
  type Method,
  type Trace,
  type Validator,
  inLieuOf,
  isObject,
  quote,
} from "../../wire/index.js";

/** Limits for a message that lists issues: their number, and its length in UTF-16 units. */
const MAX_NAMED = 5;
const MAX_TEXT = 1000;

/** Builds the error for an invalid result of the peer. */
export function invalidAnswer(row: Method, issues: readonly Issue[]): InvalidMessageError {
  const text = `The result of ${row.method} is invalid: ${summarize(issues)}`;
  return new InvalidMessageError(text, issues);
}

/** Builds the error for an invalid result of a handler. It names the tool, prompt or resource. */
export function invalidResult(
  row: Method,
  params: unknown,
  issues: readonly Issue[],
): HandlerError {
  const { name, uri } = isObject(params) ? params : {};
  const subject = name ?? uri;
  const of = typeof subject === "string" ? ` for ${quote(subject)}` : "";
  return new HandlerError(row.method, `returned an invalid result${of}: ${summarize(issues)}`);
}

/** True if a request is to run as a task. */
export function requestsTask(row: Method, params: unknown): boolean {
  return row.taskResult !== undefined && isObject(params) && params["task"] !== undefined;
}

/** The only validator of a method's results, or the choice among several. */
type ResultValidator =
  | { readonly only: Validator | undefined }
  | ((result: unknown, params: unknown) => Validator | undefined);

/**
 * Validators of the results of a method.
 * @param strict - adds checks to a validator
 * @param mayBeTask - false if no request of the method can be turned into a task
 */
export function resultValidator(
  row: Method,
  strict: (validator: Validator) => Validator = (validator) => validator,
  mayBeTask = true,
): ResultValidator {
  const { result: usual, inputResult, inLieu } = row;
  const final = usual && strict(usual);
  const task = mayBeTask ? row.taskResult : undefined;
  if (!task && !inputResult && !inLieu) return { only: final };
  const strictTask = task && strict(task);
  const strictInput = inputResult && strict(inputResult);
  const others = new Map(
    Object.values(inLieu ?? {}).map((one) => [one.result, strict(one.result)] as const),
  );
  return (result, params) => {
    const { resultType } = (result ?? {}) as { readonly resultType?: unknown };
    if (strictInput && resultType === "input_required") return strictInput;
    const other = inLieu && inLieuOf(row, result);
    if (other) return others.get(other.result);
    const isTask = task && (params as { readonly task?: unknown } | undefined)?.task !== undefined;
    return isTask && task(result) ? strictTask : final;
  };
}

export function issuesOf(validator: Validator, value: unknown): Issue[] {
  const trace: Trace = [];
  validator(value, trace);
  return trace;
}

/** Issues as one line that is safe to log: `/name: expected string, received 7; …`. */
export function summarize(issues: readonly Issue[]): string {
  return oneLine(issues, ({ path, expected, received }) => {
    const where = path === "" ? "" : `${path}: `;
    return `${where}expected ${expected}, received ${received}`;
  });
}

/** Issues as one line that is safe to log, whatever names the peer has chosen. */
export function oneLine<One>(issues: readonly One[], textOf: (issue: One) => string): string {
  const named = issues.slice(0, MAX_NAMED).map(textOf).join("; ");
  const more = issues.length > MAX_NAMED ? `; and ${issues.length - MAX_NAMED} more` : "";
  const text = named.replace(/\p{Cc}/gu, "\ufffd");
  return (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text) + more;
}
