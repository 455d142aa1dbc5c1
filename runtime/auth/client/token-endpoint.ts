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
  if (response.ok) await assertUsable(response);
  const types = Object.fromEntries(otherTypes.map((type) => [type, () => {}]));
  return processGenericTokenEndpointResponse(metadata, party, response, {
    recognizedTokenTypes: types,
  });
}

/**
 * Checks members that the library converts or passes on: "1h" would be one second, and a token with a line break would
 * appear in the error of the request that sends it.
 */
async function assertUsable(response: Response): Promise<void> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!isObject(body)) return;
  const { expires_in: lifetime, access_token: token } = body;
  if (typeof lifetime === "string" && !/^\d+$/.test(lifetime)) {
    const text = `The token endpoint answered with the lifetime ${quoted(lifetime)}`;
    throw new OAuthError("token", text, { expected: "a number of seconds" });
  }
  if (typeof token === "string" && !/^[\x21-\x7e]+$/.test(token)) {
    const text = "The token endpoint answered with an access token that no header can contain";
    throw new OAuthError("token", text, { expected: "visible ASCII characters" });
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
    headers.set("authorization", `Basic ${basicCredentials(client_id, secret)}`);
  };
}

function basicCredentials(id: string, secret: string): string {
  return btoa(`${formEncoded(id)}:${formEncoded(secret)}`);
}

/** Values that were sent, in every form in which an answer could repeat them. */
function sentForms({ client, parameters }: TokenRequest): string[] {
  const { client_id: id, client_secret: secret } = client;
  const values = [...Object.values(parameters), ...(secret === undefined ? [] : [secret])];
  const forms = values.flatMap((value) => {
    const bytes = String.fromCharCode(...new TextEncoder().encode(value));
    return [value, encodeURIComponent(value), formEncoded(value), btoa(bytes)];
  });
  return secret === undefined ? forms : [basicCredentials(id, secret), ...forms];
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", "+");
}

/** The library's errors hold what was sent and what came: only codes and texts are taken from them. */
async function failure(error: unknown, request: TokenRequest): Promise<Error> {
  if (error instanceof OAuthError || (error as Error).name === "AbortError") return error as Error;
  const stage: OAuthStage = "token";
  const answer = await answerIn(error);
  if (answer === undefined) {
    const text = `The token endpoint gave no valid answer: ${(error as Error).message}`;
    return new OAuthError(stage, text);
  }
  const { status, body } = answer;
  const code = typeof body["error"] === "string" ? body["error"].slice(0, 100) : undefined;
  const description = body["error_description"];
  const said =
    typeof description === "string" ? redacted(description, sentForms(request)) : (code ?? "");
  const why = said === "" ? `with status ${status}` : `(${code ?? status}): ${quoted(said)}`;
  return new OAuthError(stage, `The token endpoint refused ${request.grantType} ${why}`, {
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
