import type { HttpHandler } from "@mcp-codegen/runtime/http/server";
import { revisions } from "@mcp-codegen/universal";

export const ORIGIN = "http://127.0.0.1:3000";
export const URL_OF_SERVER = `${ORIGIN}/mcp`;

export const REVISIONS = revisions.map(({ id }) => id).filter((id) => id !== "2024-11-05");

interface Sent {
  readonly revision: string;
  /** The `Authorization` value. */
  readonly authorization?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A bare-bones Streamable HTTP client for one revision. It shows statuses and header fields. */
export class RawClient {
  readonly #handler: HttpHandler;
  readonly #sent: Sent;
  #session: string | undefined;
  #ids = 0;

  constructor(handler: HttpHandler, sent: Sent) {
    this.#handler = handler;
    this.#sent = sent;
  }

  /** Opens a session if the revision has sessions. */
  async open(authorization = this.#sent.authorization): Promise<Response | undefined> {
    const { revision } = this.#sent;
    if (isStateless(revision)) return undefined;
    const response = await this.post(
      {
        method: "initialize",
        params: {
          protocolVersion: revision,
          capabilities: {},
          clientInfo: { name: "raw", version: "1" },
        },
      },
      authorization,
    );
    this.#session = response.headers.get("mcp-session-id") ?? undefined;
    if (!response.ok) return response;
    await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" }, authorization, {});
    return response;
  }

  call(
    name: string,
    authorization?: string,
    args: Readonly<Record<string, unknown>> = {},
  ): Promise<Response> {
    return this.post({ method: "tools/call", params: { name, arguments: args } }, authorization);
  }

  post(
    { method, params = {} }: { method: string; params?: Readonly<Record<string, unknown>> },
    authorization = this.#sent.authorization,
  ): Promise<Response> {
    const { revision } = this.#sent;
    const id = ++this.#ids;
    if (!isStateless(revision)) {
      return this.#send({ jsonrpc: "2.0", id, method, params }, authorization, {});
    }
    const meta = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const named = params["name"] ?? params["uri"];
    const message = { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
    return this.#send(message, authorization, {
      "Mcp-Method": method,
      ...(typeof named === "string" ? { "Mcp-Name": named } : {}),
    });
  }

  #send(
    message: unknown,
    authorization: string | undefined,
    more: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const { revision, headers } = this.#sent;
    const opens = (message as { method: string }).method === "initialize";
    return this.#handler(
      new Request(URL_OF_SERVER, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...(opens ? {} : { "MCP-Protocol-Version": revision }),
          ...(this.#session ? { "Mcp-Session-Id": this.#session } : {}),
          ...(authorization === undefined ? {} : { Authorization: authorization }),
          ...headers,
          ...more,
        },
        body: JSON.stringify(message),
      }),
    );
  }
}

function isStateless(revision: string): boolean {
  return revisions.find(({ id }) => id === revision)?.traits.lifecycle === "discover";
}
