import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { onTestFinished } from "vitest";
import {
  createHttpHandler,
  type HttpHandler,
  type HttpHandlerOptions,
  type ServerInstance,
} from "../../../runtime/http/server/index.js";
import { listen } from "../../../runtime/http/node/index.js";

/** A JSON-RPC message of any kind. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

export const ACCEPT = "application/json, text/event-stream";

/** A handler that requests can reach, either over a socket or as `Request` objects. */
export interface Reached {
  readonly name: string;
  readonly url: string;
  readonly handler: HttpHandler;
  fetch(init?: RequestInit & { duplex?: "half" }, path?: string): Promise<Response>;
}

/** Serves on a real socket until the test is over. */
export async function overNode(handler: HttpHandler): Promise<Reached> {
  const { url, close } = await listen(handler);
  onTestFinished(() => close(0));
  return { name: "node", url, handler, fetch: (init) => fetch(url, init) };
}

/** Calls the handler directly. */
export async function overWeb(handler: HttpHandler): Promise<Reached> {
  const url = "http://localhost/mcp";
  onTestFinished(() => handler.close(0));
  return { name: "web", url, handler, fetch: (init) => handler(new Request(url, init)) };
}

export const WAYS = [
  { way: "node", reach: overNode },
  { way: "web", reach: overWeb },
] as const;

export type Reach = (handler: HttpHandler) => Promise<Reached>;

/** A raw client that sends the given messages and remembers its session. */
export class RawClient {
  readonly reached: Reached;
  headers: Record<string, string> = {};

  constructor(reached: Reached) {
    this.reached = reached;
  }

  post(
    body: unknown,
    headers: Record<string, string> = {},
    init: RequestInit = {},
  ): Promise<Response> {
    return this.reached.fetch({
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: ACCEPT,
        ...this.headers,
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
    });
  }

  get(headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
    return this.reached.fetch({
      headers: { Accept: "text/event-stream", ...this.headers, ...headers },
      ...init,
    });
  }

  delete(headers: Record<string, string> = {}): Promise<Response> {
    return this.reached.fetch({ method: "DELETE", headers: { ...this.headers, ...headers } });
  }

  async initialize(version: string, headers: Record<string, string> = {}): Promise<Wire> {
    const response = await this.post(initialize(version), headers);
    const result = await answerIn(response);
    const id = response.headers.get("mcp-session-id");
    if (id) this.headers["Mcp-Session-Id"] = id;
    this.headers["MCP-Protocol-Version"] = version;
    await (await this.post({ jsonrpc: "2.0", method: "notifications/initialized" })).text();
    return result;
  }

  async call(id: number | string, method: string, params?: object): Promise<Wire> {
    return answerIn(await this.post({ jsonrpc: "2.0", id, method, ...(params && { params }) }));
  }
}

export function initialize(protocolVersion: string, id: number | string = 0): Wire {
  const clientInfo = { name: "raw", version: "1" };
  const capabilities = { sampling: {}, roots: { listChanged: true }, elicitation: {} };
  return {
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: { protocolVersion, capabilities, clientInfo },
  };
}

export function tool(id: number | string, name: string, args: object = {}, meta?: object): Wire {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

/** Returns the message in a JSON response, or the last message in a stream. */
export async function answerIn(response: Response): Promise<Wire> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return text === "" ? undefined : JSON.parse(text);
  }
  return eventsIn(text)
    .flatMap(({ data }) => (data ? [JSON.parse(data)] : []))
    .at(-1);
}

export interface SseEvent {
  event?: string;
  id?: string;
  retry?: string;
  data?: string;
}

/** Parses server-sent events in the simplest way, without their comments. */
export function eventsIn(text: string): SseEvent[] {
  return text.split("\n\n").flatMap((block) => {
    const fields = block.split("\n").filter((line) => line !== "" && !line.startsWith(":"));
    const event = Object.fromEntries(
      fields.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
      }),
    );
    return fields.length > 0 ? [event] : [];
  });
}

/** Reads a stream event by event. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";
  raw = "";

  constructor(response: Response) {
    this.#reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  }

  /** Returns the next event, or undefined at the end. */
  async next(): Promise<SseEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end >= 0) {
        const [event] = eventsIn(this.#text.slice(0, end + 2));
        this.#text = this.#text.slice(end + 2);
        if (event) return event;
        continue;
      }
      const { value, done } = await this.#reader.read();
      if (done) return undefined;
      const piece = this.#decoder.decode(value, { stream: true });
      this.raw += piece;
      this.#text += piece;
    }
  }

  /** The next message. */
  async message(): Promise<Wire> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) return undefined;
      if (event.data) return JSON.parse(event.data);
    }
  }

  async rest(): Promise<SseEvent[]> {
    const events: SseEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** Sends a request through `node:http`, for headers that `fetch` does not allow. */
export function rawRequest(
  url: string,
  {
    method = "POST",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: text }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

export async function serve(
  server: ServerInstance,
  options: HttpHandlerOptions = {},
  reach: Reach = overNode,
): Promise<RawClient> {
  const onerror = options.onerror ?? (() => {});
  return new RawClient(await reach(createHttpHandler(server, { ...options, onerror })));
}
