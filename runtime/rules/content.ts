import type { RouteSteps, StepSource } from "../api/index.js";
import { invalidParams, summarize } from "../engine/index.js";
import { oncePerKey } from "../ground/index.js";
import {
  InvalidMessageError,
  type Side,
  type Validator,
  formatIssues,
  contentTest,
  hasFormats,
} from "../wire/index.js";

/** The maximum number of kinds of problems to report. */
const MAX_PLACES = 1000;

/**
 * Creates steps that check the formats that the structure of messages does not express: base64, URIs, MIME types and
 * `_meta` keys. Invalid content is not sent. A client that receives invalid content reports each kind of problem once;
 * a server rejects invalid answers.
 */
export function contentRules(report: (error: Error) => void): StepSource {
  const isNew = oncePerKey(MAX_PLACES);
  const reportOnce = (method: string, validator: Validator, value: unknown): void => {
    const issues = formatIssues(validator, value).filter(({ path, expected }) =>
      isNew(`${method} ${path.replaceAll(/\/\d+/g, "/*")} ${expected}`),
    );
    if (issues.length === 0) return;
    const text = `${method}: accepted, although it is invalid: ${summarize(issues)}`;
    report(new InvalidMessageError(text, issues));
  };
  return ({ row, side, direction }): RouteSteps => {
    const { method, params: validator, inputResult } = row;
    if (direction === "in") {
      return {
        readParams: validator && (side === "client" ? observeParams : inputResult && checkAnswers),
        checkResult(result) {
          let test: ReturnType<typeof contentTest> | undefined;
          return (value) => {
            if (test === undefined) test = contentTest(result, "all");
            return test === null || test(value) ? undefined : formatIssues(result, value);
          };
        },
      };
    }
    return {
      writeParams: validator && paramsCheck(method, validator, side),
      checkResult(result) {
        const scope = side === "client" ? "all" : "answer";
        let test: ReturnType<typeof contentTest> | undefined;
        return (value) => {
          if (test === undefined) test = contentTest(result, scope);
          if (test === null || test(value)) return undefined;
          if (side === "server") return formatIssues(result, value, scope);
          reportOnce(method, result, value);
          return undefined;
        };
      },
    };

    function observeParams(params: unknown): unknown {
      if (!hasFormats(validator!, params)) reportOnce(method, validator!, params);
      return params;
    }

    function checkAnswers(params: unknown): unknown {
      const { inputResponses } = (params ?? {}) as { readonly inputResponses?: unknown };
      if (inputResponses === undefined || hasFormats(validator!, params, "answer")) return params;
      throw invalidParams(summarize(formatIssues(validator!, params, "answer")));
    }
  };
}

/**
 * Creates the check of a message's parameters. The URIs that a client sends are not checked, because its server has
 * chosen them.
 */
function paramsCheck(method: string, validator: Validator, side: Side): RouteSteps["writeParams"] {
  const scope = side === "client" ? "own" : "all";
  const test = contentTest(validator, scope);
  if (test === null) return undefined;
  return (params) => {
    if (test(params)) return params;
    const problem = summarize(formatIssues(validator, params, scope));
    throw new TypeError(`${method} was not sent: ${problem}`);
  };
}
