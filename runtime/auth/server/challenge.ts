import type { Refusal } from "@mcp-codegen/runtime/http/server";

/** Algorithms of proofs of possession. */
export const PROOF_ALGORITHMS: readonly string[] = ["ES256", "EdDSA", "PS256", "RS256"];

/** Parameters of a challenge; those that are undefined are left out. */
export interface ChallengeParameters {
  readonly scheme: "Bearer" | "DPoP";
  /** Absolute URL of the metadata of the protected resource (RFC 9728, section 5.1). */
  readonly metadataUrl: string;
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** Response with a challenge (RFC 6750, section 3; RFC 9449, section 7.1). */
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
