import { isSecureUrl } from "./loopback.js";
import type { Scope } from "./scope.js";
import { below, isMembers, member, type Members } from "../tape/json-value.js";
import { schemaIssues } from "./tools.js";

/** Matches names and titles of fields for secrets, which a server must not request in a form. */
const SECRET =
  /(^|[-_ ])(pass(word|wd|phrase|code)|secret|(api|private)[-_ ]?key|access[-_ ]?token|(credit[-_ ]?)?card[-_ ]?number|cvv|cvc|ssn)$/i;

export function judgeElicitation(scope: Scope, pointer: string, params: Members): void {
  const { requestedSchema, mode, url } = params;
  if (mode === "url" && typeof url === "string" && !isSecureUrl(url))
    scope.report("visit-address", `${pointer}/url`, "an https: URL", url);
  const fields = member(requestedSchema, "properties");
  for (const [name, field] of Object.entries(isMembers(fields) ? fields : {})) {
    const texts = [name.replace(/([a-z])([A-Z])/g, "$1 $2"), String(member(field, "title"))];
    const isFlag = member(field, "type") === "boolean" || member(field, "enum") !== undefined;
    if (isFlag || !texts.some((text) => SECRET.test(text.trim()))) continue;
    const place = below(`${pointer}/requestedSchema/properties`, name);
    scope.report("form-secret", place, "no field for a secret", field);
  }
}

export function judgeFormAnswer(
  scope: Scope,
  pointer: string,
  params: Members,
  result: Members,
): void {
  const { requestedSchema, mode } = params;
  const isVisit = mode === "url" && typeof params.url === "string";
  if (!isMembers(requestedSchema) && !isVisit) return;
  const { action, content } = result;
  if (action !== "accept" || !isMembers(requestedSchema)) {
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
