import { oauth, type OAuth, type OAuthOptions, redirect } from "@mcp-codegen/auth/client";
import {
  connect,
  type ConnectOptions,
  createHttpHandler,
  McpServer,
  type McpClient,
} from "@mcp-codegen/universal";
import { AuthorizationServer, type Seen } from "./authorization-server.js";

export const MCP = "https://mcp.example/mcp";
export const REDIRECT = "http://127.0.0.1:3000/callback";

/** The essentials of a request to the MCP server. */
export interface Call {
  readonly token: string | undefined;
  /** The MCP method in the body. */
  readonly method: string | undefined;
  readonly name: string | undefined;
}

export interface WorldSettings {
  readonly mcp?: string;
  /** The resource metadata; undefined for a server without any. */
  readonly resource?: Readonly<Record<string, unknown>> | undefined;
  /** The path of the resource metadata. Default: the well-known one for the server's path. */
  readonly place?: string;
  /** The challenge of a 401 response. Default: one that names the metadata's URL. */
  readonly challenge?: string;
  /** Returns the scopes that a call needs. */
  readonly scopes?: (call: Call) => readonly string[];
  /** Returns an MCP server response that replaces the correct one. */
  readonly refuse?: (call: Call) => Response | undefined;
  readonly server?: AuthorizationServer;
}

/** An MCP server, its authorization server, and the network between them and a client. */
export class World {
  settings: WorldSettings;
  server: AuthorizationServer;
  readonly calls: Call[] = [];
  /** Requests to the MCP server's origin only. */
  readonly seen: Seen[] = [];
  readonly mcp: string;
  readonly #handler;
  readonly #servers: AuthorizationServer[];

  constructor(settings: WorldSettings = {}) {
    this.settings = settings;
    this.mcp = settings.mcp ?? MCP;
    this.server = settings.server ?? new AuthorizationServer();
    this.#servers = [this.server];
    const server = new McpServer(
      { name: "guarded", version: "1.0.0" },
      { freshness: { "tools/list": { ttlMs: 60_000 } } },
    );
    server.registerTool("read", {}, () => "read");
    server.registerTool("write", {}, () => "written");
    this.#handler = createHttpHandler(server, { allowedHosts: "any" });
  }

  /** Replaces the authorization server with another one. */
  move(server: AuthorizationServer): void {
    this.server = server;
    this.#servers.push(server);
  }

  /** The client's only access to the network. */
  readonly fetch = async (given: URL | string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(given, init);
    const url = new URL(request.url);
    const body =
      typeof init.body === "string" || init.body instanceof URLSearchParams
        ? String(init.body)
        : "";
    const isForm = request.headers.get("content-type")?.includes("form") ?? false;
    const seen: Seen = {
      method: request.method,
      url,
      headers: request.headers,
      body,
      form: new URLSearchParams(isForm ? body : ""),
    };
    const server = this.#servers.find(({ issuer }) => new URL(issuer).origin === url.origin);
    if (url.href === this.mcp) return this.#serve(request, body);
    const isOwn = url.origin === new URL(this.mcp).origin;
    if (isOwn || server === undefined) this.seen.push(seen);
    const { place = this.#place, resource } = this.settings;
    if (url.href === place && (resource !== undefined || !("resource" in this.settings))) {
      return Response.json(
        resource ?? { resource: this.mcp, authorization_servers: [this.server.issuer] },
      );
    }
    return server?.answer(seen) ?? new Response("", { status: 404 });
  };

  /** Returns the options of a client whose user agrees to everything. */
  options(given: Partial<OAuthOptions> = {}): OAuthOptions {
    const authorize = redirect({ redirectUri: REDIRECT, visit: (url) => this.server.visit(url) });
    return { authorize, fetch: this.fetch, ...given };
  }

  oauth(given: Partial<OAuthOptions> = {}): OAuth {
    return oauth(this.options(given));
  }

  connect(
    given: Partial<OAuthOptions> | OAuth = {},
    options: ConnectOptions = {},
  ): Promise<McpClient> {
    const auth = "fetchFor" in given ? given : this.oauth(given);
    return connect(this.mcp, { auth, http: { fetch: this.fetch }, eras: false, ...options });
  }

  get #place(): string {
    const { origin, pathname } = new URL(this.mcp);
    return `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`;
  }

  async #serve(request: Request, body: string): Promise<Response> {
    const call = callIn(request, body);
    this.calls.push(call);
    const { refuse, scopes = () => [], place = this.#place, challenge } = this.settings;
    const refused = refuse?.(call);
    if (refused) return refused;
    const known = this.server.tokens.has(call.token ?? "");
    if (!known) {
      const header = challenge ?? `Bearer resource_metadata="${place}"`;
      return new Response("", {
        status: 401,
        headers: header === "" ? {} : { "www-authenticate": header },
      });
    }
    const granted = this.server.tokens.get(call.token!)?.split(" ") ?? [];
    const needed = scopes(call);
    if (needed.some((scope) => !granted.includes(scope))) {
      const header = `Bearer error="insufficient_scope", scope="${needed.join(" ")}"`;
      return new Response("", { status: 403, headers: { "www-authenticate": header } });
    }
    return this.#handler(request);
  }
}

function callIn(request: Request, body: string): Call {
  const [scheme, token] = (request.headers.get("authorization") ?? "").split(" ");
  const message =
    body === "" ? {} : (JSON.parse(body) as { method?: string; params?: { name?: string } });
  return {
    token: /^(?:bearer|dpop)$/i.test(scheme ?? "") ? token : undefined,
    method: message.method,
    name: message.params?.name,
  };
}
