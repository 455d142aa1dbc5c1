import {
  allowInsecureRequests,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  customFetch,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  None,
  PrivateKeyJwt,
  processGenericTokenEndpointResponse,
  ResponseBodyError,
  type DPoPHandle,
  WWWAuthenticateChallengeError,
} from "oauth4webapi";
import { OAuthError, type OAuthStage } from "./errors.js";
import type { KnownClient } from "./options.js";
import type { RegisteredClient } from "./registration.js";
import { signingKey } from "./signing-key.js";
import { isObject, quoted, redacted, strings } from "./text.js";

/** Answer of a token endpoint. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in?: number | undefined;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  readonly issued_token_type?: string | undefined;
}

/** One request to a token endpoint. */
export interface TokenRequest {
  readonly metadata: AuthorizationServer;
  readonly client: RegisteredClient;
  /** Client of the options, for its key. */
  readonly known: KnownClient | undefined;
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly dpop: DPoPHandle | undefined;
  /** Types of a token that is no access token, such as `n_a`. */
  readonly otherTypes?: readonly string[];
}

/** True if a header can contain a token (RFC 6750, section 2.1, and the other visible characters of ASCII). */
export function isHeaderToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/**
 * Asks for a token; once more with a nonce where the server wants one.
 * @throws OAuthError when the server refuses; its text holds nothing of what was sent
 */
export async function requestToken(request: TokenRequest): Promise<TokenResponse> {
  try {
    return await once(request);
  } catch (error) {
    if (request.dpop === undefined || !isDPoPNonceError(error)) throw await failure(error, request);
  }
  try {
    return await once(request);
  } catch (error) {
    throw await failure(error, request);
  }
}

async function once(request: TokenRequest): Promise<TokenResponse> {
  const { metadata, client, grantType, parameters, fetch, dpop, otherTypes = [] } = request;
  const party: Client = { client_id: client.client_id };
  const options = {
    [customFetch]: fetch,
    [allowInsecureRequests]: true,
    ...(dpop !== undefined && { DPoP: dpop }),
  };
  const response = await genericTokenEndpointRequest(
    metadata,
    party,
    await authenticationOf(request),
    grantType,
    new URLSearchParams(parameters),
    options,
  );
  const types = Object.fromEntries(otherTypes.map((type) => [type, () => {}]));
  const usable = response.ok ? await usableResponse(response) : response;
  return processGenericTokenEndpointResponse(metadata, party, usable, {
    recognizedTokenTypes: types,
  });
}

/**
 * Checks members that the library converts or passes on: "1h" would be one second, and a token with a line break would
 * appear in the error of the request that sends it. Scopes in a list are joined, as some servers send them; any other
 * scope that is not a string is left out.
 * @throws OAuthError
 */
async function usableResponse(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  const body = parsed(text);
  if (!isObject(body)) return new Response(text, { status, headers });
  const { expires_in: lifetime, access_token: token, scope, ...others } = body;
  if (typeof lifetime === "string" && !/^\d+$/.test(lifetime)) {
    const what = `The token endpoint answered with the lifetime ${quoted(lifetime)}`;
    throw new OAuthError("token", what, { expected: "a number of seconds" });
  }
  if (typeof token === "string" && !isHeaderToken(token)) {
    const what = "The token endpoint answered with an access token that no header can contain";
    throw new OAuthError("token", what, { expected: "visible ASCII characters" });
  }
  const scopes = Array.isArray(scope) ? strings(scope)!.join(" ") : scope;
  const kept = { ...others, access_token: token, expires_in: lifetime };
  const usable = typeof scopes === "string" ? { ...kept, scope: scopes } : kept;
  return new Response(JSON.stringify(usable), { status, headers });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws OAuthError if the client cannot authenticate in the way that the server requires */
export async function authenticationOf({
  metadata,
  client,
  known,
}: Pick<TokenRequest, "metadata" | "client" | "known">): Promise<ClientAuth> {
  const { client_secret: secret, token_endpoint_auth_method: method } = client;
  const supported = metadata.token_endpoint_auth_methods_supported;
  if (
    client.isGiven &&
    known?.key !== undefined &&
    (method ?? "private_key_jwt") === "private_key_jwt"
  ) {
    assertVerifies(metadata, known);
    const key = await signingKey(known.key, known.algorithm);
    return PrivateKeyJwt(known.keyId === undefined ? key : { key, kid: known.keyId });
  }
  if (secret === undefined || method === "none") return None();
  const choice =
    method ??
    (supported === undefined || supported.includes("client_secret_basic")
      ? "client_secret_basic"
      : "client_secret_post");
  if (choice === "client_secret_basic") return basic(secret);
  if (choice === "client_secret_post") return ClientSecretPost(secret);
  throw new OAuthError("registration", `The client shall authenticate by ${quoted(choice)}`, {
    expected: "client_secret_basic, client_secret_post, private_key_jwt or none",
  });
}

/** @throws OAuthError if the server lists the algorithms of signed assertions, and that of a key in PEM is not among them */
function assertVerifies(metadata: AuthorizationServer, { key, algorithm }: KnownClient): void {
  const algorithms = strings(metadata.token_endpoint_auth_signing_alg_values_supported);
  const own = algorithm ?? "ES256";
  if (typeof key !== "string" || algorithms === undefined || algorithms.includes(own)) return;
  throw new OAuthError("token", `The authorization server verifies no assertions with ${own}`, {
    expected: `"client.algorithm" to be one of ${algorithms.map(quoted).join(", ")}`,
  });
}

/**
 * Authentication by `Authorization: Basic` (RFC 6749 §2.3.1). The library's own escapes characters such as `-`, which is
 * allowed, and which servers that do not decode refuse.
 */
function basic(secret: string): ClientAuth {
  return (_metadata, { client_id }, _body, headers) => {
    const credentials = `${formEncoded(client_id)}:${formEncoded(secret)}`;
    headers.set("authorization", `Basic ${btoa(credentials)}`);
  };
}

/** Parameters whose values are no secrets, and which a description may name. */
const PUBLIC: ReadonlySet<string> = new Set([
  "resource",
  "scope",
  "audience",
  "redirect_uri",
  "requested_token_type",
  "subject_token_type",
]);

function secretsOf({ client, parameters }: TokenRequest): readonly (string | undefined)[] {
  const sent = Object.entries(parameters).filter(([name]) => !PUBLIC.has(name));
  return [client.client_secret, ...sent.map(([, value]) => value)];
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

/** The library's errors hold what was sent and what came: only codes and texts are taken from them. */
async function failure(thrown: unknown, request: TokenRequest): Promise<Error> {
  if (thrown instanceof OAuthError || (thrown as Error).name === "AbortError")
    return thrown as Error;
  const stage: OAuthStage = "token";
  const answer = await answerIn(thrown);
  if (answer === undefined) {
    const text = `The token endpoint gave no valid answer: ${(thrown as Error).message}`;
    return new OAuthError(stage, text);
  }
  const { status, body } = answer;
  const [code, description] = [body["error"], body["error_description"]].map((one) =>
    typeof one === "string" ? redacted(one, secretsOf(request)) : undefined,
  );
  const error = code?.replace(/[^ -~]+/g, " ").slice(0, 100);
  const said = description ?? error ?? "";
  const why = said === "" ? `with status ${status}` : `(${error ?? status}): ${quoted(said)}`;
  const { grantType, metadata } = request;
  const supported = strings(metadata.grant_types_supported);
  const isListed = supported === undefined || supported.includes(grantType);
  return new OAuthError(stage, `The token endpoint refused ${grantType} ${why}`, {
    serverStatus: status,
    error,
    ...(!isListed && { expected: `${quoted(grantType)} in its grant_types_supported` }),
  });
}

async function answerIn(error: unknown) {
  if (error instanceof ResponseBodyError) {
    const { status, error: code, error_description } = error;
    return { status, body: { error: code, error_description } as Record<string, unknown> };
  }
  if (!(error instanceof WWWAuthenticateChallengeError)) return undefined;
  const { response, status } = error;
  const body: unknown = response.bodyUsed
    ? undefined
    : await response.json().catch(() => undefined);
  return { status, body: isObject(body) ? body : {} };
}
