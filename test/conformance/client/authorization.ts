import {
  type Authorize,
  clientCredentials,
  enterprise,
  jwtBearer,
  oauth,
  OAuthError,
  type OAuthOptions,
  type OAuthStage,
  redirect,
} from "@mcp-codegen/auth/client";
import type { ConnectOptions } from "@mcp-codegen/universal";
import type { Given } from "./scenario.js";

/** The document that the suite expects, whatever its context contains. */
const CLIENT_METADATA = "https://conformance-test.local/client-metadata.json";

/** Acts as the browser. The suite's authorization server accepts everyone and redirects at once. */
const browser: Authorize = redirect({
  redirectUri: "http://localhost:3000/callback",
  visit: async (url) => {
    const response = await fetch(url, { redirect: "manual" });
    return new URL(response.headers.get("location")!, url);
  },
});

const text = (given: Given, name: string): string => String(given[name]);

const special: Readonly<Record<string, (given: Given) => Partial<OAuthOptions>>> = {
  "auth/basic-cimd": () => ({ clientMetadataUrl: CLIENT_METADATA }),
  "auth/pre-registration": (given) => ({
    client: {
      id: text(given, "client_id"),
      secret: text(given, "client_secret"),
      issuer: text(given, "issuer"),
    },
  }),
  "auth/client-credentials-basic": (given) => ({
    authorize: clientCredentials(),
    client: { id: text(given, "client_id"), secret: text(given, "client_secret") },
  }),
  "auth/client-credentials-jwt": (given) => ({
    authorize: clientCredentials(),
    client: {
      id: text(given, "client_id"),
      key: text(given, "private_key_pem"),
      algorithm: text(given, "signing_algorithm"),
    },
  }),
  "auth/enterprise-managed-authorization": (given) => ({
    authorize: enterprise({
      tokenEndpoint: text(given, "idp_token_endpoint"),
      clientId: text(given, "idp_client_id"),
      subjectToken: text(given, "idp_id_token"),
    }),
    client: { id: text(given, "client_id"), secret: text(given, "client_secret") },
  }),
  "auth/wif-jwt-bearer": (given) => ({
    authorize: jwtBearer({ assertion: text(given, "valid_jwt") }),
    client: { id: text(given, "client_id") },
  }),
  "auth/dpop": () => ({ dpop: true }),
  "auth/dpop-nonce": () => ({ dpop: true }),
};

/** Returns the options with which the program authorizes itself in a scenario. */
export function authorizationFor(scenario: string, given: Given): ConnectOptions {
  if (!scenario.startsWith("auth/")) return {};
  const options = Object.hasOwn(special, scenario) ? special[scenario]!(given) : {};
  return { auth: oauth({ authorize: browser, ...options }) };
}

/** The scenarios that a client must not complete, each with the stage at which it stops. */
const stops: Readonly<Record<string, OAuthStage>> = {
  "auth/iss-normalized": "authorization",
  "auth/iss-supported-missing": "authorization",
  "auth/iss-unexpected": "authorization",
  "auth/iss-wrong-issuer": "authorization",
  "auth/metadata-issuer-mismatch": "discovery",
  "auth/resource-mismatch": "discovery",
  "auth/scope-retry-limit": "scope",
};

/**
 * Returns true if a scenario that must fail ended with the right error; undefined if a client is expected to succeed.
 */
export function isRightRefusal(scenario: string, error?: unknown): boolean | undefined {
  const stage = Object.hasOwn(stops, scenario) ? stops[scenario] : undefined;
  return stage === undefined ? undefined : error instanceof OAuthError && error.stage === stage;
}
