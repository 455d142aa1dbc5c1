import { isObject } from "./conversation.js";
import type { Scope } from "./scope.js";
import { schemaIssues } from "./tools.js";

/** Checks the content of an accepted form by the schema that was requested. */
export function judgeFormAnswer(
  scope: Scope,
  pointer: string,
  params: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
): void {
  const { requestedSchema } = params;
  if (!isObject(requestedSchema)) return;
  const { action, content } = result;
  if (action !== "accept") {
    if (content !== undefined) {
      scope.report(
        "form-answer",
        `${pointer}/content`,
        "nothing, unless the form is accepted",
        content,
      );
    }
    return;
  }
  for (const { path, expected, value } of schemaIssues(requestedSchema, content ?? {})) {
    scope.report("form-answer", `${pointer}/content${path}`, expected, value);
  }
}
