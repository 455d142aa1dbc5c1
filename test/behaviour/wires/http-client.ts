import { createParser } from "eventsource-parser";
import { RawEnd } from "../support/raw-end.js";
import { until } from "../support/until.js";
import type { Wire } from "../tap/wire-message.js";

/** A Streamable HTTP client that the test controls, written from the specification alone. */
export class RawHttpClient extends RawEnd {
  readonly #url: string;
  readonly #closing = new AbortController();
  #session: string | undefined;
  #version: string | undefined;
  #isListening = false;
  /** Resolves once the previous messages have been accepted; the next message waits for it. */
  #accepted: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    super();
    this.#url = url;
  }

  say(message: unknown): void {
    const body = typeof message === "string" ? message : JSON.stringify(message);
    const { id, method } = (message ?? {}) as Wire;
    const before = this.#accepted;
    const sent = before.then(() => this.#post(body, method));
    const isNotification = id === undefined && method !== undefined;
    if (isNotification || method === "initialize") this.#accepted = sent;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.#session !== undefined) {
      await fetch(this.#url, { method: "DELETE", headers: this.#headers() });
    }
    this.#closing.abort();
  }

  async #post(body: string, method: unknown): Promise<void> {
    const accept = "application/json, text/event-stream";
    const headers = { ...this.#headers(), accept, "content-type": "application/json" };
    const { signal } = this.#closing;
    try {
      const response = await fetch(this.#url, { method: "POST", headers, body, signal });
      this.#session ??= response.headers.get("mcp-session-id") ?? undefined;
      const reading = this.#read(response);
      if (method === "initialize") await reading;
      if (method === "notifications/initialized") await this.#listen();
    } catch (error) {
      if (!signal.aborted) this.take({ failed: String(error) });
    }
  }

  async #listen(): Promise<void> {
    if (this.#session === undefined || this.#isListening) return;
    this.#isListening = true;
    const headers = { ...this.#headers(), accept: "text/event-stream" };
    const response = await fetch(this.#url, { headers, signal: this.#closing.signal });
    void this.#read(response).catch(() => {});
  }

  async #read(response: Response): Promise<void> {
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await readEvents(response, (_event, data) => this.#arrive(JSON.parse(data)));
    } else {
      const text = await response.text();
      if (text !== "") this.#arrive(JSON.parse(text));
    }
  }

  #arrive(value: Wire): void {
    this.#version = value?.result?.protocolVersion ?? this.#version;
    this.take(value);
  }

  #headers(): Record<string, string> {
    return {
      ...(this.#session === undefined ? {} : { "mcp-session-id": this.#session }),
      ...(this.#version === undefined ? {} : { "mcp-protocol-version": this.#version }),
    };
  }
}

/** An HTTP+SSE client that the test controls. */
export class RawSseClient extends RawEnd {
  readonly #url: string;
  readonly #closing = new AbortController();
  #endpoint: string | undefined;
  #sent: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    super();
    this.#url = url;
  }

  async open(): Promise<void> {
    const { signal } = this.#closing;
    const response = await fetch(this.#url, { headers: { accept: "text/event-stream" }, signal });
    const onevent = (event: string, data: string): void => {
      if (event === "endpoint") this.#endpoint = new URL(data, this.#url).href;
      else this.take(JSON.parse(data));
    };
    void readEvents(response, onevent)
      .catch(() => {})
      .then(() => (this.isClosed = true));
    await until("an endpoint", () => this.#endpoint);
  }

  say(message: unknown): void {
    const body = typeof message === "string" ? message : JSON.stringify(message);
    const headers = { "content-type": "application/json" };
    this.#sent = this.#sent
      .then(() => fetch(this.#endpoint!, { method: "POST", headers, body }))
      .then((response) => this.#readRefusal(response));
  }

  async close(): Promise<void> {
    await this.#sent;
    this.#closing.abort();
  }

  async #readRefusal(response: Response): Promise<void> {
    const text = await response.text();
    if (!response.ok && text !== "") this.take(JSON.parse(text));
  }
}

/** Calls back for each event with data. */
export async function readEvents(
  response: Response,
  onevent: (event: string, data: string) => void,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ event = "message", data }) => {
      if (data !== "") onevent(event, data);
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
  }
}
