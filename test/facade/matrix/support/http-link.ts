import { eventsOf } from "./event-stream.js";
import type { Hear, Link, Route, Wire } from "./link.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";

/** Streamable HTTP, in the form that each revision uses. */
export class HttpLink implements Link {
  readonly wire = "http";
  readonly #url: string;
  readonly #fields: Readonly<Record<string, string>>;
  readonly #leaving = new Map<unknown, AbortController>();
  readonly #closing = new AbortController();
  #receive!: Hear;
  /** The session's header, once there is a session. */
  #session: Record<string, string> = {};

  constructor(url: string, fields: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#fields = fields;
  }

  async open(receive: Hear): Promise<void> {
    this.#receive = receive;
  }

  async say(message: Wire): Promise<void> {
    const leaving = new AbortController();
    if (message.id !== undefined && message.method) this.#leaving.set(message.id, leaving);
    const response = await fetch(this.#url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...this.#fields,
        ...this.#fieldsOf(message),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.any([leaving.signal, this.#closing.signal]),
    });
    const id = response.headers.get("mcp-session-id");
    if (id !== null) this.#session["Mcp-Session-Id"] = id;
    const which = Array.isArray(message) ? "batch" : message.id;
    void this.#read(response, { on: `post ${which}`, status: response.status });
  }

  /** Opens the stream on which a session receives messages that belong to no request. */
  async ready(revision: string): Promise<void> {
    if (revision >= "2025-06-18") this.#session["MCP-Protocol-Version"] = revision;
    const headers = { Accept: "text/event-stream", ...this.#fields, ...this.#session };
    const response = await fetch(this.#url, { headers, signal: this.#closing.signal });
    if (response.status !== 200) throw new Error(`No stream: ${response.status}`);
    void this.#read(response, { on: "stream", status: 200 });
  }

  leave(id: unknown): void {
    this.#leaving.get(id)!.abort();
  }

  close(): void {
    this.#closing.abort();
  }

  #fieldsOf({ method, params }: Wire): Record<string, string> {
    const revision: string | undefined = params?.["_meta"]?.[VERSION];
    if (revision === undefined) return this.#session;
    const name: string | undefined = params.name ?? params.uri;
    return {
      "MCP-Protocol-Version": revision,
      "Mcp-Method": method,
      ...(name === undefined ? {} : { "Mcp-Name": name }),
    };
  }

  async #read(response: Response, route: Route): Promise<void> {
    try {
      if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
        for await (const { data } of eventsOf(response)) this.#take(JSON.parse(data), route);
        return;
      }
      const text = await response.text();
      if (text !== "") this.#take(JSON.parse(text), route);
    } catch (error) {
      if ((error as Error).name !== "AbortError") throw error;
    }
  }

  #take(value: Wire, route: Route): void {
    for (const message of [value].flat()) this.#receive(message, route);
  }
}
