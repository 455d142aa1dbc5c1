import { createHash } from "node:crypto";

/** A request that a test server received. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** The fields of a form; empty for other bodies. */
  readonly form: URLSearchParams;
  readonly body: string;
}

interface Grant {
  readonly clientId: string;
  readonly scope: string | undefined;
  readonly challenge: string;
  readonly redirectUri: string;
}

export interface ServerSettings {
  readonly issuer?: string;
  /** Members of the metadata to change; undefined removes a member. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The paths at which the metadata is served. Default: the one from RFC 8414. */
  readonly places?: readonly string[];
  /** Returns the parameters of each authorization response, replacing the correct ones. */
  readonly respond?: (right: URLSearchParams) => URLSearchParams;
  /** Returns a token endpoint response that replaces the correct one. */
  readonly token?: (seen: Seen) => Response | undefined;
  readonly register?: (seen: Seen) => Response | undefined;
  /** A token's lifetime in seconds, which some servers also send as a string. Default: an hour. */
  readonly expiresIn?: number | string;
  readonly refreshes?: boolean;
  /** Members of the device authorization response that differ from the correct ones. */
  readonly device?: object;
}

/**
 * A small authorization server without a socket. It supports codes with PKCE, refresh with rotation, and registration.
 */
export class AuthorizationServer {
  readonly issuer: string;
  readonly seen: Seen[] = [];
  readonly tokens = new Map<string, string | undefined>();
  readonly visits: URL[] = [];
  settings: ServerSettings;
  readonly #grants = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, Grant>();
  #count = 0;

  constructor(settings: ServerSettings = {}) {
    this.settings = settings;
    this.issuer = settings.issuer ?? "https://as.example";
  }

  get metadata(): Readonly<Record<string, unknown>> {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      device_authorization_endpoint: `${issuer}/device`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
      ...this.settings.metadata,
    };
  }

  /** Returns the requests to one endpoint. */
  at(path: string): Seen[] {
    return this.seen.filter(({ url }) => url.href.startsWith(this.issuer + path));
  }

  /** Acts as a user who accepts everything. */
  readonly visit = (url: URL): URL => {
    this.visits.push(url);
    const given = url.searchParams;
    const code = this.#name("code");
    const scope = given.get("scope") ?? undefined;
    this.#grants.set(code, {
      clientId: given.get("client_id")!,
      scope,
      challenge: given.get("code_challenge")!,
      redirectUri: given.get("redirect_uri")!,
    });
    const right = new URLSearchParams({ code, state: given.get("state")!, iss: this.issuer });
    const back = new URL(given.get("redirect_uri")!);
    back.search = (this.settings.respond?.(right) ?? right).toString();
    return back;
  };

  answer(seen: Seen): Response {
    this.seen.push(seen);
    const { url } = seen;
    const { places = [`${new URL(this.issuer).origin}/.well-known/oauth-authorization-server`] } =
      this.settings;
    if (places.includes(url.href)) return Response.json(this.metadata);
    const path = url.href.slice(this.issuer.length);
    if (path === "/token") return this.settings.token?.(seen) ?? this.#token(seen);
    if (path === "/register") return this.settings.register?.(seen) ?? this.#register(seen);
    if (path === "/revoke") return this.#revoke(seen);
    if (path === "/device") return this.#device();
    return new Response("", { status: 404 });
  }

  #register({ body }: Seen): Response {
    const metadata = JSON.parse(body) as object;
    return Response.json({ ...metadata, client_id: this.#name("client") }, { status: 201 });
  }

  #token({ form }: Seen): Response {
    const type = form.get("grant_type");
    if (type === "client_credentials" || type?.includes("jwt-bearer"))
      return this.#issue(form.get("scope") ?? undefined);
    if (type === "refresh_token") {
      const token = form.get("refresh_token")!;
      const grant = this.#refreshTokens.get(token);
      this.#refreshTokens.delete(token);
      return grant === undefined ? refusal("invalid_grant") : this.#issue(grant.scope, grant);
    }
    const code = form.get("code") ?? form.get("device_code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      grant !== undefined && (code.startsWith("device") || grant.challenge === challenge);
    if (!isRight) return refusal("invalid_grant");
    return this.#issue(grant.scope, grant);
  }

  #issue(scope: string | undefined, grant?: Grant): Response {
    const { expiresIn = 3600, refreshes = true } = this.settings;
    const token = this.#name("token");
    this.tokens.set(token, scope);
    const refresh = this.#name("refresh");
    if (grant) this.#refreshTokens.set(refresh, grant);
    return Response.json({
      access_token: token,
      token_type: "Bearer",
      expires_in: expiresIn,
      ...(scope !== undefined && { scope }),
      ...(grant && refreshes && { refresh_token: refresh }),
    });
  }

  #revoke({ form }: Seen): Response {
    this.tokens.delete(form.get("token")!);
    this.#refreshTokens.delete(form.get("token")!);
    return new Response();
  }

  #device(): Response {
    const code = this.#name("device");
    this.#grants.set(code, { clientId: "", scope: undefined, challenge: "", redirectUri: "" });
    return Response.json({
      device_code: code,
      user_code: "WDJB-MJHT",
      verification_uri: `${this.issuer}/activate`,
      expires_in: 600,
      interval: 0.01,
      ...this.settings.device,
    });
  }

  /** Creates a secret that names its kind, so that a test recognises it wherever it must not appear. */
  #name(kind: string): string {
    this.#count += 1;
    return `${kind}-secret-${this.#count}`;
  }
}

/** Creates a refusal from a token endpoint. */
export function refusal(error: string, description?: string, status = 400): Response {
  return Response.json({ error, error_description: description }, { status });
}
