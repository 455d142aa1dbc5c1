import type { Refusal, RequestHead } from "@mcp-codegen/runtime/http/server";

export interface PresentedToken {
  readonly scheme: "Bearer" | "DPoP";
  readonly token: string;
}

/** The reason why a request's credentials are rejected: malformed (400), or an unsupported scheme (401). */
export interface UnreadableField {
  readonly problem: string;
  readonly status: 400 | 401;
}

const FIELD = /^(bearer|dpop) +([\w.~+/-]+=*) *$/i;

const MOST = 16 * 1024;

/**
 * Returns a request's token from the `Authorization` field, the only place where it is allowed (RFC 6750, section 2.1;
 * MCP: authorization, access tokens).
 */
export function presentedToken({
  header,
  query,
}: RequestHead): PresentedToken | UnreadableField | undefined {
  if (/(?:^|&)access_token=/i.test(query)) {
    const problem = "Send the token in the Authorization field, never in the URL";
    return { problem, status: 400 };
  }
  const field = header("authorization");
  if (field === undefined) return undefined;
  const [, scheme, token] = (field.length <= MOST && FIELD.exec(field)) || [];
  if (scheme === undefined || token === undefined) {
    const isOtherScheme = /^(?!bearer |dpop )[\w.+-]+ +\S/i.test(field);
    const problem = "The Authorization field contains no Bearer or DPoP token";
    return { problem, status: isOtherScheme ? 401 : 400 };
  }
  return { scheme: scheme.toLowerCase() === "dpop" ? "DPoP" : "Bearer", token };
}

export const PROOF_ALGORITHMS: readonly string[] = ["ES256", "EdDSA", "PS256", "RS256"];

export interface ChallengeParameters {
  readonly scheme: "Bearer" | "DPoP";
  readonly metadataUrl: string;
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** Creates a refusal with a challenge (RFC 6750, section 3; RFC 9449, section 7.1). */
export function challenge(status: number, parameters: ChallengeParameters): Refusal {
  const { scheme, metadataUrl, error, description, scopes } = parameters;
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ["error", error],
    ["error_description", description],
    ["scope", scopes?.length ? scopes.join(" ") : undefined],
    ["algs", scheme === "DPoP" ? PROOF_ALGORITHMS.join(" ") : undefined],
    ["resource_metadata", metadataUrl],
  ];
  const listed = pairs.flatMap(([name, value]) =>
    value === undefined ? [] : `${name}="${value.replace(/[^ !#-[\]-~]/g, "?")}"`,
  );
  return {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "WWW-Authenticate": `${scheme} ${listed.join(", ")}`,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: description ?? "Unauthorized: send an access token" },
    }),
  };
}
