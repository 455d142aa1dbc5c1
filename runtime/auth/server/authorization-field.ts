import type { RequestHead } from "@mcp-codegen/runtime/http/server";

/** Access token of a request, and the scheme that it was sent with. */
export interface PresentedToken {
  readonly scheme: "Bearer" | "DPoP";
  readonly token: string;
}

/** Reason why a request's credentials are rejected: malformed (400), or of a scheme that is not offered (401). */
export interface UnreadableField {
  readonly problem: string;
  readonly status: 400 | 401;
}

const FIELD = /^(bearer|dpop) +([\w.~+/-]+=*) *$/i;

/** Longest token that is looked at, in characters. */
const MOST = 16 * 1024;

/**
 * Token of a request, from the only place where it may be (RFC 6750, section 2.1; MCP: authorization, access tokens).
 * @returns undefined when there is none
 */
export function presentedToken({
  header,
  query,
}: RequestHead): PresentedToken | UnreadableField | undefined {
  if (/(?:^|&)access_token=/i.test(query)) {
    const problem = "A token belongs into the Authorization field, never into the URL";
    return { problem, status: 400 };
  }
  const field = header("authorization");
  if (field === undefined) return undefined;
  const [, scheme, token] = (field.length <= MOST && FIELD.exec(field)) || [];
  if (scheme === undefined || token === undefined) {
    const isOtherScheme = /^(?!bearer |dpop )[\w.+-]+ +\S/i.test(field);
    const problem = "The Authorization field holds no Bearer or DPoP token";
    return { problem, status: isOtherScheme ? 401 : 400 };
  }
  return { scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer", token };
}
