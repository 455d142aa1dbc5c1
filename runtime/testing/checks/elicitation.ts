import { isSecureUrl } from "./loopback.js";
import type { Scope } from "./scope.js";
import { below, isMembers, member, type Members } from "../tape/json-value.js";
import { schemaIssues } from "./tools.js";

/** Matches the names and titles of fields for secrets, which a server must not request in a form. */
const SECRET =
  /(^|[-_ ])(pass(word|wd|phrase|code)|secret|(api|private)[-_ ]?key|access[-_ ]?token|(credit[-_ ]?)?card[-_ ]?number|cvv|cvc|ssn)$/i;

/** Matches URL parameters that grant access to anyone who opens the URL. */
const CREDENTIAL =
  /^(?:(?:access|auth|id|session)[-_]?token|token|jwt|api[-_]?key|password|secret|session(?:[-_]?id)?)$/i;

/** True if a value with this name is a secret. */
export function isSecret(name: string): boolean {
  return SECRET.test(name.replace(/([a-z])([A-Z])/g, "$1 $2").trim());
}

function opensWithSecret(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, searchParams } = new URL(url);
  return username !== "" || [...searchParams.keys()].some((name) => CREDENTIAL.test(name));
}

export function judgeElicitation(scope: Scope, pointer: string, params: Members): void {
  const { requestedSchema, mode, url } = params;
  if (mode === "url" && typeof url === "string" && !isSecureUrl(url))
    scope.report("visit-address", `${pointer}/url`, "an https: URL", url);
  if (mode === "url" && typeof url === "string" && opensWithSecret(url))
    scope.report("visit-secret", `${pointer}/url`, "a URL without credentials", url);
  const fields = member(requestedSchema, "properties");
  for (const [name, field] of Object.entries(isMembers(fields) ? fields : {})) {
    const place = below(`${pointer}/requestedSchema/properties`, name);
    for (const one of ["title", "description"]) {
      const text = member(field, one);
      if (typeof text !== "string" || !/\bhttps?:\/\//i.test(text)) continue;
      scope.report("form-link", `${place}/${one}`, "a text without URLs", text);
    }
    const isFlag = member(field, "type") === "boolean" || member(field, "enum") !== undefined;
    if (isFlag || ![name, String(member(field, "title"))].some(isSecret)) continue;
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
  for (const { path, expected, value } of schemaIssues(requestedSchema, content ?? {}, true)) {
    scope.report("form-answer", `${pointer}/content${path}`, expected, value);
  }
}
