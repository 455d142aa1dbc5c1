import {
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  ClientSecretPost,
  type CryptoKey,
  DPoP,
  type DPoPHandle,
  type JWK,
  None,
  PrivateKeyJwt,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  allowInsecureRequests,
  customFetch,
  generateKeyPair,
  genericTokenEndpointRequest,
  isDPoPNonceError,
  modifyAssertion,
  processGenericTokenEndpointResponse,
  revocationRequest,
} from "oauth4webapi";
import type { RegisteredClient, TokenResponse } from "./authorize.js";
import {
  OAuthError,
  type OAuthStage,
  isHeaderToken,
  isObject,
  quoted,
  redacted,
  strings,
} from "./errors.js";
import type { KnownClient } from "./options.js";
import type { TokenRecord } from "./tokens.js";

export interface TokenRequest {
  readonly metadata: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly known: KnownClient | undefined;
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly dpop: DPoPHandle | undefined;
  /** Additional `token_type` values to accept, such as `n_a` for tokens that are not access tokens. */
  readonly otherTypes?: readonly string[];
  /** Authenticates the client instead of its secret or key. */
  readonly authentication?: ClientAuthentication | undefined;
}

/** Adds a client's authentication to the parameters or headers of a token request. */
export type ClientAuthentication = ClientAuth;

/** Sends a token request, repeating it with a DPoP nonce if the server requires one. */
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
 * Validates the members that the library converts or passes on unchecked: a token with a line break would appear in the
 * error of the request that sends it. Scopes that arrive as an array, as some servers send them, are joined.
 */
async function usableResponse(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  const body = parsed(text);
  if (!isObject(body)) return new Response(text, { status, headers });
  const { expires_in: lifetime, access_token: token, scope, ...others } = body;
  assertSeconds(lifetime, "token");
  if (typeof token === "string" && !isHeaderToken(token)) {
    const what = "The token endpoint returned an access token that no header can contain";
    throw new OAuthError("token", what, { expected: "visible ASCII characters" });
  }
  const scopes = Array.isArray(scope) ? strings(scope)!.join(" ") : scope;
  const kept = { ...others, access_token: token, expires_in: lifetime };
  const usable = typeof scopes === "string" ? { ...kept, scope: scopes } : kept;
  return new Response(JSON.stringify(usable), { status, headers });
}

/**
 * @throws OAuthError if the lifetime is neither a number nor a string of digits. The library would read "1h" and ["1h"]
 * as one second.
 */
export function assertSeconds(lifetime: unknown, endpoint: "token" | "device authorization"): void {
  if (lifetime === undefined || typeof lifetime === "number") return;
  if (typeof lifetime === "string" && /^\d+$/.test(lifetime)) return;
  const what = `The ${endpoint} endpoint returned the lifetime ${quoted(lifetime)}`;
  const code = endpoint === "token" ? "token" : "authorization";
  throw new OAuthError(code, what, { expected: "a number of seconds" });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function authenticationOf({
  metadata,
  client,
  known,
  authentication,
}: Pick<TokenRequest, "metadata" | "client" | "known" | "authentication">): Promise<ClientAuth> {
  if (authentication !== undefined) return authentication;
  const { client_secret: secret, token_endpoint_auth_method: method } = client;
  const supported = metadata.token_endpoint_auth_methods_supported;
  if (
    client.isGiven &&
    known?.key !== undefined &&
    (method ?? "private_key_jwt") === "private_key_jwt"
  ) {
    return privateKeyJwt(known.key, known);
  }
  if (secret === undefined || method === "none") return None();
  const choice =
    method ??
    (supported === undefined || supported.includes("client_secret_basic")
      ? "client_secret_basic"
      : "client_secret_post");
  if (choice === "client_secret_basic") return basic(secret);
  if (choice === "client_secret_post") return ClientSecretPost(secret);
  throw new OAuthError("registration", `The client is set to authenticate by ${quoted(choice)}`, {
    expected: "client_secret_basic, client_secret_post, private_key_jwt or none",
  });
}

/** Options for {@link privateKeyJwt}. */
export interface AssertionOptions extends Pick<KnownClient, "algorithm" | "keyId"> {
  /** Claims to include in the assertion, in addition to or in place of those from RFC 7523. */
  readonly claims?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Authenticates a client with a signed assertion (`private_key_jwt`). A request throws an `OAuthError` if the key
 * cannot be read or the server's metadata rules out its algorithm. The algorithm of a `CryptoKey` is not checked.
 *
 * @param key - PKCS #8 in PEM format, a JWK, or a `CryptoKey` for signing
 */
export function privateKeyJwt(
  key: string | CryptoKey | JWK,
  { algorithm, keyId, claims }: AssertionOptions = {},
): ClientAuthentication {
  const withClaims = (_header: object, payload: object): void =>
    void Object.assign(payload, claims);
  return async (metadata, ...request) => {
    if (!isCryptoKey(key)) assertVerifies(metadata, algorithm);
    const own = await signingKey(key, algorithm);
    const signed = keyId === undefined ? own : { key: own, kid: keyId };
    await PrivateKeyJwt(signed, { [modifyAssertion]: withClaims })(metadata, ...request);
  };
}

function assertVerifies(metadata: AuthorizationServer, own = "ES256"): void {
  const algorithms = strings(metadata.token_endpoint_auth_signing_alg_values_supported);
  if (algorithms === undefined || algorithms.includes(own)) return;
  throw new OAuthError(
    "token",
    `The authorization server does not accept assertions signed with ${own}`,
    {
      expected: `"client.algorithm" to be one of ${algorithms.map(quoted).join(", ")}`,
    },
  );
}

/**
 * Authenticates a client with `Authorization: Basic` (RFC 6749, section 2.3.1). The library's own implementation also
 * escapes characters such as `-`, which some servers do not decode.
 */
function basic(secret: string): ClientAuth {
  return (_metadata, { client_id }, _body, headers) => {
    const credentials = `${formEncoded(client_id)}:${formEncoded(secret)}`;
    headers.set("authorization", `Basic ${btoa(credentials)}`);
  };
}

/** Parameters whose values are not secret and may therefore appear in messages. */
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

/**
 * Converts the error from a token request. Only codes and descriptions are copied from the library's errors, because
 * those errors contain the request and the response.
 */
async function failure(thrown: unknown, request: TokenRequest): Promise<Error> {
  if (thrown instanceof OAuthError || (thrown as Error).name === "AbortError")
    return thrown as Error;
  const stage: OAuthStage = "token";
  const answer = await answerIn(thrown);
  if (answer === undefined) {
    const text = `The token endpoint returned an invalid response: ${(thrown as Error).message}`;
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
    description,
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

export interface Revocation {
  readonly metadata: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly known: KnownClient | undefined;
  readonly tokens: TokenRecord;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * Revokes tokens (RFC 7009).
 *
 * @returns true if the refresh token was revoked or, if there is none, the access token
 */
export async function revoke({
  metadata,
  client,
  known,
  tokens,
  fetch,
}: Revocation): Promise<boolean> {
  if (metadata.revocation_endpoint === undefined) return false;
  const authentication = await authenticationOf({ metadata, client, known });
  const options = { [customFetch]: fetch, [allowInsecureRequests]: true };
  const answers: boolean[] = [];
  for (const token of [tokens.refreshToken, tokens.accessToken]) {
    if (token === undefined) continue;
    const party = { client_id: client.client_id };
    const answer = await revocationRequest(metadata, party, authentication, token, options).catch(
      () => undefined,
    );
    answers.push(answer?.ok ?? false);
  }
  return answers[0] ?? false;
}

const ALGORITHMS: Readonly<Record<string, EcKeyImportParams | RsaHashedImportParams | Algorithm>> =
  {
    ES256: { name: "ECDSA", namedCurve: "P-256" },
    ES384: { name: "ECDSA", namedCurve: "P-384" },
    ES512: { name: "ECDSA", namedCurve: "P-521" },
    RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    RS384: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" },
    RS512: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
    PS256: { name: "RSA-PSS", hash: "SHA-256" },
    PS384: { name: "RSA-PSS", hash: "SHA-384" },
    PS512: { name: "RSA-PSS", hash: "SHA-512" },
    EdDSA: { name: "Ed25519" },
    Ed25519: { name: "Ed25519" },
  };

function isCryptoKey(key: string | CryptoKey | JWK): key is CryptoKey {
  return typeof key !== "string" && !("kty" in key);
}

/** Imports a signing key: PKCS #8 in PEM format, a JWK, or the key itself. Errors never quote the key. */
export async function signingKey(
  key: string | CryptoKey | JWK,
  algorithm = "ES256",
): Promise<CryptoKey> {
  if (isCryptoKey(key)) return key;
  const parameters = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  if (parameters !== undefined) {
    try {
      if (typeof key !== "string") {
        return await crypto.subtle.importKey("jwk", key, parameters, false, ["sign"]);
      }
      const [, text = ""] =
        /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(key) ?? [];
      const bytes = Uint8Array.from(atob(text.replace(/\s/g, "")), (one) => one.charCodeAt(0));
      return await crypto.subtle.importKey("pkcs8", bytes, parameters, false, ["sign"]);
    } catch {
      // The platform's error may quote the key.
    }
  }
  const names = Object.keys(ALGORITHMS).join(", ");
  throw new OAuthError("token", `The option "client.key" cannot be read for ${algorithm}`, {
    expected: `PKCS #8 in PEM ("BEGIN PRIVATE KEY") or a JWK for the "client.algorithm", which is one of ${names}`,
  });
}

const ALGORITHM = "ES256";
const CURVE = { name: "ECDSA", namedCurve: "P-256" };

/** A DPoP key that tokens are bound to (RFC 9449), with the nonces received from servers. */
export interface DpopKey {
  readonly handle: DPoPHandle;
  readonly jwk: JWK;
}

export async function dpopKey(jwk?: JWK): Promise<DpopKey> {
  const pair = jwk === undefined ? await newPair() : await importPair(jwk);
  return {
    handle: DPoP({}, pair),
    jwk: jwk ?? (await crypto.subtle.exportKey("jwk", pair.privateKey)),
  };
}

export function requireDpop({
  dpop_signing_alg_values_supported: supported,
}: AuthorizationServer): void {
  if (supported === undefined || supported.includes(ALGORITHM)) return;
  throw new OAuthError(
    "token",
    "The authorization server does not accept DPoP proofs of this client",
    {
      expected: `"${ALGORITHM}" in dpop_signing_alg_values_supported`,
    },
  );
}

function newPair(): Promise<CryptoKeyPair> {
  return generateKeyPair(ALGORITHM, { extractable: true }) as Promise<CryptoKeyPair>;
}

async function importPair(jwk: JWK): Promise<CryptoKeyPair> {
  const { kty, crv, x, y } = jwk;
  const open = { kty, crv, x, y } as JWK;
  const { subtle } = crypto;
  return {
    privateKey: await subtle.importKey("jwk", jwk, CURVE, false, ["sign"]),
    publicKey: await subtle.importKey("jwk", open, CURVE, true, ["verify"]),
  };
}
