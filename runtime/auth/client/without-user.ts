import type { AuthorizationServer } from "oauth4webapi";
import type { Authorize, Flow } from "./authorize.js";
import { OAuthError, quoted, strings } from "./errors.js";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";
const ID_JAG_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";

/** Obtains tokens for the client itself (OAuth 2.1, section 4.2). The `client` option contains its secret or key. */
export function clientCredentials(): Authorize {
  return {
    hasUser: false,
    tokens: async (flow) => {
      const client = await flow.client({ grantTypes: ["client_credentials"] });
      return flow.token(client, "client_credentials", flow.parameters);
    },
  };
}

/** Creates an assertion for a token request. `audience` is the authorization server's issuer. */
export type AssertionSource = (request: {
  readonly audience: string;
  readonly resource: string | undefined;
}) => string | Promise<string>;

export interface JwtBearerOptions {
  /** The assertion from the workload's platform, or a function that creates one for each token. */
  readonly assertion: string | AssertionSource;
}

/** Obtains tokens with an assertion (RFC 7523), for example in workload identity federation. */
export function jwtBearer({ assertion }: JwtBearerOptions): Authorize {
  return {
    hasUser: false,
    tokens: async (flow) => {
      const client = await flow.client({ grantTypes: [JWT_BEARER] });
      return flow.token(client, JWT_BEARER, {
        ...flow.parameters,
        assertion: await assertionFor(assertion, flow),
      });
    },
  };
}

async function assertionFor(assertion: string | AssertionSource, flow: Flow): Promise<string> {
  if (typeof assertion === "string") return assertion;
  return assertion({ audience: flow.issuer, resource: flow.resource });
}

export interface EnterpriseOptions {
  /** The token endpoint of the enterprise's identity provider. */
  readonly tokenEndpoint: string;
  /** This client's id at the identity provider. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The user's ID token or SAML assertion from the identity provider, or a function that obtains it. */
  readonly subjectToken: string | (() => string | Promise<string>);
  /** The type of the `subjectToken`. Default: `urn:ietf:params:oauth:token-type:id_token`. */
  readonly subjectTokenType?: string;
}

/**
 * Obtains tokens through the enterprise's identity provider: the user's identity is exchanged for a grant that the MCP
 * server's authorization server accepts (MCP: enterprise-managed authorization). The `client` option describes this
 * client at that authorization server.
 */
export function enterprise(options: EnterpriseOptions): Authorize {
  return {
    hasUser: false,
    tokens: async (flow) => {
      assertAcceptsIdentity(flow);
      const client = await flow.client({ grantTypes: [JWT_BEARER] });
      const assertion = await identityGrant(flow, options);
      return flow.token(client, JWT_BEARER, { ...flow.parameters, assertion });
    },
  };
}

function assertAcceptsIdentity({ issuer, metadata }: Flow): void {
  const profiles = strings(metadata["authorization_grant_profiles_supported"]);
  if (profiles === undefined || profiles.includes(ID_JAG_PROFILE)) return;
  const text = `The authorization server ${quoted(issuer)} does not accept identity assertions (ID-JAG)`;
  const expected = `"${ID_JAG_PROFILE}" in authorization_grant_profiles_supported`;
  throw new OAuthError("authorization", text, { expected });
}

async function identityGrant(flow: Flow, options: EnterpriseOptions): Promise<string> {
  const { tokenEndpoint, clientId, clientSecret, subjectToken, subjectTokenType } = options;
  const endpoint = await flow.check(tokenEndpoint, "token endpoint of the identity provider");
  const provider: AuthorizationServer = { issuer: endpoint.origin, token_endpoint: endpoint.href };
  const subject = typeof subjectToken === "string" ? subjectToken : await subjectToken();
  const party = {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  };
  const parameters = {
    subject_token: subject,
    subject_token_type: subjectTokenType ?? "urn:ietf:params:oauth:token-type:id_token",
    requested_token_type: ID_JAG,
    audience: flow.issuer,
    ...(flow.resource !== undefined && { resource: flow.resource }),
    ...(flow.scopes.length > 0 && { scope: flow.scopes.join(" ") }),
  };
  const answer = await flow.exchange(provider, party, TOKEN_EXCHANGE, parameters);
  if (answer.issued_token_type === ID_JAG) return answer.access_token;
  throw new OAuthError(
    "token",
    "The identity provider issued a token of another type than requested",
    {
      expected: `issued_token_type "${ID_JAG}"`,
    },
  );
}
