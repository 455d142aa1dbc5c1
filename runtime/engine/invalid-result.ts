import { resultIssues, summarize } from "./conformity.js";
import { HandlerError, type Method, isObject, quote } from "../wire/index.js";

/**
 * Builds the error for `onerror` about an invalid result. It names the tool, prompt or resource.
 */
export function invalidResult(row: Method, params: unknown, result: unknown): HandlerError {
  const { name, uri } = isObject(params) ? params : {};
  const subject = name ?? uri;
  const of = typeof subject === "string" ? ` for ${quote(subject)}` : "";
  const problem = summarize(resultIssues(row, params, result));
  return new HandlerError(row.method, `gave an invalid result${of}: ${problem}`);
}
