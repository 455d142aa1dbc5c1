import type { ClientNeeds, RegisteredClient } from "./authorize.js";
import type { AuthorizationServer } from "oauth4webapi";
import { OAuthError, isObject, quoted, redacted, strings } from "./errors.js";
import type { GuardedFetch } from "./guarded-fetch.js";
import type { KnownClient, OAuthOptions } from "./options.js";
import { type AuthStore, storedRecord } from "./store.js";

export interface RegistrationHost {
  readonly options: OAuthOptions;
  readonly store: AuthStore;
  readonly fetch: GuardedFetch;
  readonly server: URL;
  readonly signal: AbortSignal;
}

const clientKey = (issuer: string): string => `client ${issuer}`;
const presetKey = (server: URL, id: string): string => `given ${server.href} ${id}`;

/**
 * Returns this client for an authorization server: from the options, or by its metadata document, or else registered
 * (MCP: client registration approaches).
 */
export async function clientFor(
  host: RegistrationHost,
  issuer: string,
  metadata: AuthorizationServer,
  needs: ClientNeeds,
): Promise<RegisteredClient> {
  const known = await knownClient(host, issuer, metadata);
  if (known !== undefined && (known.isGiven || fits(known, needs))) return known;
  warnOfRegistration(host.options);
  const registered = await register(host, metadata, needs);
  await host.store.set(clientKey(issuer), JSON.stringify(registered));
  return registered;
}

let hasWarned = false;

function warnOfRegistration({ onwarning = emitWarning }: OAuthOptions): void {
  if (hasWarned) return;
  hasWarned = true;
  const advice = `use "clientMetadataUrl", or "client" for a client that is registered already`;
  const text = `Dynamic client registration is deprecated: ${advice}`;
  onwarning(Object.assign(new Error(text), { name: "DeprecationWarning" }));
}

function emitWarning(warning: Error): void {
  const { process } = globalThis as { process?: { emitWarning?: (warning: Error) => void } };
  if (process?.emitWarning) process.emitWarning(warning);
  else console.warn(`${warning.name}: ${warning.message}`);
}

function fits(
  { redirectUri, grantTypes }: RegisteredClient,
  { redirectUri: requestedUri = redirectUri, grantTypes: needed }: ClientNeeds,
): boolean {
  const isRegistered = (type: string): boolean => grantTypes?.includes(type) ?? true;
  return requestedUri === redirectUri && needed.every(isRegistered);
}

/** Returns this client without registering it, or undefined if it has to be registered. */
export async function knownClient(
  host: RegistrationHost,
  issuer: string,
  metadata: AuthorizationServer,
): Promise<RegisteredClient | undefined> {
  const { client, clientMetadataUrl: url } = host.options;
  if (client !== undefined) return ownClient(host, issuer, client);
  if (url !== undefined && metadata["client_id_metadata_document_supported"] === true) {
    return { client_id: checkedDocument(url), isGiven: true, token_endpoint_auth_method: "none" };
  }
  const known = await registeredAt(host.store, issuer);
  return known === undefined || isExpired(known) ? undefined : known;
}

export async function registeredAt(
  store: AuthStore,
  issuer: string,
): Promise<RegisteredClient | undefined> {
  return storedRecord<RegisteredClient>(store, clientKey(issuer), ["client_id"]);
}

/**
 * Returns the client that tokens were issued to, even if a later registration for another redirect URI has replaced
 * it; undefined if this program can no longer act as that client.
 */
export async function clientOf(
  host: RegistrationHost,
  issuer: string,
  metadata: AuthorizationServer,
  { clientId, client: before }: { clientId: string; client?: RegisteredClient | undefined },
): Promise<RegisteredClient | undefined> {
  const client = await knownClient(host, issuer, metadata);
  if (client?.client_id === clientId) return client;
  const isOwn = host.options.client === undefined && before?.client_id === clientId;
  return isOwn && !isExpired(before) ? before : undefined;
}

/** Deletes a rejected registration, unless it has already been replaced. */
export async function forgetClient(
  store: AuthStore,
  issuer: string,
  clientId: string | undefined,
): Promise<void> {
  const known = await registeredAt(store, issuer);
  if (known?.client_id === clientId) await store.delete(clientKey(issuer));
}

/**
 * Returns the client from the options, and binds it to one authorization server, so that its secret is never sent to
 * another.
 */
async function ownClient(
  { store, server }: RegistrationHost,
  issuer: string,
  { id, secret, authentication, issuer: named }: KnownClient,
): Promise<RegisteredClient> {
  const key = presetKey(server, id);
  const owner = named ?? (await store.get(key));
  if (owner !== undefined && owner !== issuer) {
    const text = `The client ${quoted(id)} is registered with ${quoted(owner)}, but the MCP server uses ${quoted(issuer)}`;
    throw new OAuthError("registration", text, {
      expected: "a client of that authorization server",
    });
  }
  if (owner === undefined) await store.set(key, issuer);
  return {
    client_id: id,
    isGiven: true,
    ...(secret !== undefined && { client_secret: secret }),
    ...(authentication !== undefined && { token_endpoint_auth_method: authentication }),
  };
}

function checkedDocument(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === "https:" && url.pathname !== "/" && url.hash === "") return address;
  throw new OAuthError("registration", `The option "clientMetadataUrl" is ${quoted(address)}`, {
    expected: "https: and a path",
  });
}

function isExpired({ client_secret_expires_at: at = 0 }: RegisteredClient): boolean {
  return at > 0 && at * 1000 < Date.now();
}

async function register(
  { options, fetch, signal }: RegistrationHost,
  metadata: AuthorizationServer,
  { grantTypes, redirectUri }: ClientNeeds,
): Promise<RegisteredClient> {
  const endpoint = metadata.registration_endpoint;
  if (endpoint === undefined) {
    throw new OAuthError("registration", "The authorization server does not register clients", {
      expected: `the option "client"${options.clientMetadataUrl === undefined ? "" : `: it does not support "clientMetadataUrl" either`}`,
    });
  }
  const body = JSON.stringify({
    client_name: "mcp-codegen client",
    application_type: isNative(redirectUri) ? "native" : "web",
    token_endpoint_auth_method: authMethod(metadata),
    grant_types: grantTypes,
    // By default, a client uses the authorization code grant, which requires a redirect URI (RFC 7591, section 2).
    response_types: redirectUri === undefined ? [] : ["code"],
    ...(redirectUri !== undefined && { redirect_uris: [redirectUri] }),
    ...options.clientMetadata,
  });
  const send = fetch.requests("registration", "registration endpoint", signal);
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await send(endpoint, { method: "POST", headers, body });
  const value: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isObject(value) || typeof value["client_id"] !== "string") {
    throw refused(response.status, value, options.clientMetadata?.["software_statement"]);
  }
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = value;
  return {
    client_id,
    grantTypes,
    ...(redirectUri !== undefined && { redirectUri }),
    ...(typeof client_secret === "string" && { client_secret }),
    ...(typeof client_secret_expires_at === "number" && { client_secret_expires_at }),
    ...(typeof token_endpoint_auth_method === "string" && { token_endpoint_auth_method }),
  };
}

/**
 * Returns true for a native application (OIDC registration, section 2), which does not have an `https:` redirect URI.
 */
function isNative(redirectUri: string | undefined): boolean {
  return redirectUri === undefined || !redirectUri.startsWith("https:");
}

/**
 * Returns the authentication method to register. `none` is preferred, because programs on a user's machine cannot keep
 * secrets.
 */
function authMethod({
  token_endpoint_auth_methods_supported: methods,
}: AuthorizationServer): string {
  if (methods === undefined || methods.includes("none")) return "none";
  const known = ["client_secret_basic", "client_secret_post"];
  return known.find((method) => methods.includes(method)) ?? "none";
}

function refused(status: number, value: unknown, statement: unknown): OAuthError {
  const body = isObject(value) ? value : {};
  const secrets = strings([statement, body["client_secret"], body["registration_access_token"]])!;
  const [error, why = error ?? ""] = [body["error"], body["error_description"]].map((one) =>
    typeof one === "string" ? redacted(one, secrets) : undefined,
  );
  const text = `The authorization server refused to register this client${why === "" ? "" : `: ${quoted(why)}`}`;
  return new OAuthError("registration", text, {
    serverStatus: status,
    error: error?.slice(0, 100),
  });
}
