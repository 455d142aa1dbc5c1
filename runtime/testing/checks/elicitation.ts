import { isObject, member } from "./conversation.js";
import type { Scope } from "./scope.js";
import { below } from "../tape/json-value.js";
import { schemaIssues } from "./tools.js";

/** Names of fields for secrets, which only the user and another party may know. */
const SECRET =
  /pass(word|wd|phrase|code)|secret|api[-_ ]?key|private[-_ ]?key|access[-_ ]?token|credit[-_ ]?card|card[-_ ]?number|\b(cvv|cvc|ssn)\b/i;

/** Checks that a form has no field for a secret. */
export function judgeForm(
  scope: Scope,
  pointer: string,
  { requestedSchema }: Readonly<Record<string, unknown>>,
): void {
  const fields = member(requestedSchema, "properties");
  for (const [name, field] of Object.entries(isObject(fields) ? fields : {})) {
    const title = member(field, "title");
    if (!SECRET.test(name) && !(typeof title === "string" && SECRET.test(title))) continue;
    const place = below(`${pointer}/requestedSchema/properties`, name);
    scope.report("form-secret", place, "no field for a secret", field);
  }
}

/** Checks the content of an accepted form against the schema that was requested. */
export function judgeFormAnswer(
  scope: Scope,
  pointer: string,
  params: Readonly<Record<string, unknown>>,
  result: Readonly<Record<string, unknown>>,
): void {
  const { requestedSchema, mode } = params;
  const isVisit = mode === "url" && typeof params.url === "string";
  if (!isObject(requestedSchema) && !isVisit) return;
  const { action, content } = result;
  if (action !== "accept" || !isObject(requestedSchema)) {
    if (content !== undefined) {
      scope.report(
        "form-answer",
        `${pointer}/content`,
        isVisit ? "nothing, as there is no form" : "nothing, unless the form is accepted",
        content,
      );
    }
    return;
  }
  for (const { path, expected, value } of schemaIssues(requestedSchema, content ?? {})) {
    scope.report("form-answer", `${pointer}/content${path}`, expected, value);
  }
}
