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
import { isObject, quoted, redacted } from "./text.js";

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
  return processGenericTokenEndpointResponse(metadata, party, response, {
    recognizedTokenTypes: types,
  });
}

/** @throws OAuthError when the client cannot do what the server wants */
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

/**
 * Authentication by `Authorization: Basic` (RFC 6749 §2.3.1). The library's own escapes characters such as `-`, which is
 * allowed, and which servers that do not decode refuse.
 */
function basic(secret: string): ClientAuth {
  return (_metadata, { client_id }, _body, headers) => {
    const pair = `${formEncoded(client_id)}:${formEncoded(secret)}`;
    headers.set("authorization", `Basic ${btoa(pair)}`);
  };
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

/** The library's errors hold what was sent and what came: only codes and texts are taken from them. */
async function failure(
  error: unknown,
  { client, parameters, grantType }: TokenRequest,
): Promise<Error> {
  if (error instanceof OAuthError || (error as Error).name === "AbortError") return error as Error;
  const stage: OAuthStage = "token";
  const answer = await answerIn(error);
  if (answer === undefined) {
    const text = `The token endpoint gave no valid answer: ${(error as Error).message}`;
    return new OAuthError(stage, text);
  }
  const { status, body } = answer;
  const code = typeof body["error"] === "string" ? body["error"].slice(0, 100) : undefined;
  const secrets = [...Object.values(parameters), client.client_secret ?? ""];
  const description = body["error_description"];
  const said = typeof description === "string" ? redacted(description, secrets) : (code ?? "");
  const why = said === "" ? `with status ${status}` : `(${code ?? status}): ${quoted(said)}`;
  return new OAuthError(stage, `The token endpoint refused ${grantType} ${why}`, {
    serverStatus: status,
    error: code,
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
