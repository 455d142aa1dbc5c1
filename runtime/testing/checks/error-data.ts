import type { Revision } from "@mcp-codegen/runtime";
import type { Scope } from "./scope.js";
import { isMembers, member } from "../tape/json-value.js";

export function judgeData(
  scope: Scope,
  { errorCodes }: Revision,
  code: number,
  error: Record<string, unknown>,
): void {
  const { data } = error;
  if (code === errorCodes["UNSUPPORTED_PROTOCOL_VERSION"]) {
    const supported = member(data, "supported");
    const isList = Array.isArray(supported) && supported.every((one) => typeof one === "string");
    const requested = member(data, "requested");
    if (!isList) {
      scope.report("error-data", "/error/data/supported", "list of revisions", supported);
    } else if (typeof requested !== "string") {
      scope.report("error-data", "/error/data/requested", "string", requested);
    }
  } else if (code === errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"]) {
    const required = member(data, "requiredCapabilities");
    if (!isMembers(required))
      scope.report("error-data", "/error/data/requiredCapabilities", "object", required);
  } else if (code === errorCodes["URL_ELICITATION_REQUIRED"]) {
    const urls = member(data, "elicitations");
    const index = Array.isArray(urls) ? urls.findIndex((one) => !isVisit(one)) : -1;
    const place = "/error/data/elicitations";
    if (!Array.isArray(urls)) scope.report("error-data", place, "list of URLs to visit", urls);
    else if (index >= 0)
      scope.report(
        "error-data",
        `${place}/${index}`,
        "mode url, url, message and elicitationId",
        urls[index],
      );
    else
      for (const one of urls) scope.conversation.visits.add(String(member(one, "elicitationId")));
  }
}

function isVisit(value: unknown): boolean {
  const texts = ["url", "message", "elicitationId"].map((name) => member(value, name));
  return member(value, "mode") === "url" && texts.every((one) => typeof one === "string");
}
