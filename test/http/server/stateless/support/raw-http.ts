import { type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";

/** Any received value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

export const VERSION = "2026-07-28";

export const META = {
  revision: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;

/** Header fields in the order in which they are sent; a field may occur twice. */
export type Fields = readonly (readonly [name: string, value: string])[];

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** The JSON body, or the last message of a stream. */
  readonly message: Wire;
}

/** Returns the `_meta` of a stateless request. */
export function envelope(more: object = {}, revision = VERSION): object {
  return {
    [META.revision]: revision,
    [META.clientInfo]: { name: "raw", version: "1" },
    [META.clientCapabilities]: {},
    ...more,
  };
}

export interface Asking {
  readonly id?: unknown;
  readonly meta?: object;
  /** Header fields that replace or supplement the usual ones; `undefined` omits a field. */
  readonly fields?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly signal?: AbortSignal;
}

/** Returns a well-formed request. */
export function request(method: string, params: object = {}, { id = 1, meta }: Asking = {}): Wire {
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta ?? envelope() } };
}

/** Returns the header fields that go with a request. */
export function fieldsOf(body: Wire, more: Asking["fields"] = {}): Fields {
  const { name, uri } = body?.params ?? {};
  const usual: Record<string, string | readonly string[] | undefined> = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": VERSION,
    "Mcp-Method": body?.method,
    "Mcp-Name": name ?? uri,
  };
  const left = Object.entries(usual).filter(
    ([field]) => !Object.keys(more).some((own) => own.toLowerCase() === field.toLowerCase()),
  );
  return [...left, ...Object.entries(more)].flatMap(([field, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [field, one as string] as const),
  );
}

/** Sends exactly these fields and this body, and reads the whole response. */
export async function post(url: string, body: unknown, fields: Fields): Promise<Answer> {
  return read(await open(url, body, fields));
}

/** Sends a request as a client of the stateless revision does. */
export async function ask(
  url: string,
  method: string,
  params?: object,
  asking: Asking = {},
): Promise<Answer> {
  const body = request(method, params, asking);
  return post(url, body, fieldsOf(body, asking.fields));
}

/** Sends a request as `ask` does, but leaves the response unread. */
export function start(
  url: string,
  method: string,
  params?: object,
  asking: Asking = {},
): Promise<IncomingMessage> {
  const body = request(method, params, asking);
  return open(url, body, fieldsOf(body, asking.fields));
}

/** Sends a request and returns it without waiting for the response. */
export function sent(
  url: string,
  method: string,
  params?: object,
  asking: Asking = {},
): ClientRequest {
  const body = request(method, params, asking);
  return send(url, body, fieldsOf(body, asking.fields)).on("error", () => {});
}

function open(url: string, body: unknown, fields: Fields): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    send(url, body, fields).on("error", reject).on("response", resolve);
  });
}

function send(url: string, body: unknown, fields: Fields): ClientRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const host: Fields = fields.some(([name]) => name === "Host")
    ? []
    : [["Host", new URL(url).host]];
  const length = ["Content-Length", String(Buffer.byteLength(text))] as const;
  const headers = [...host, length, ...fields].flat();
  const outgoing = httpRequest(url, { method: "POST", headers: headers as never });
  outgoing.end(text);
  return outgoing;
}

export async function read(response: IncomingMessage): Promise<Answer> {
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response) text += piece;
  const { statusCode: status = 0, headers } = response;
  const isStream = headers["content-type"] === "text/event-stream";
  const message = isStream ? messagesIn(text).at(-1) : text === "" ? undefined : JSON.parse(text);
  return { status, headers, text, message };
}

/** Returns the messages in a stream, each of which is one line. */
export function messagesIn(text: string): Wire[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice(6)));
}

/** Reads a stream message by message. */
export class Listener {
  readonly response: IncomingMessage;
  raw = "";
  isOver = false;
  #taken = 0;
  #wake: (() => void)[] = [];

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding("utf8");
    const wake = (): void => this.#wake.splice(0).forEach((one) => one());
    response.on("data", (piece: string) => {
      this.raw += piece;
      wake();
    });
    response.on("error", () => {});
    response.on("close", () => {
      this.isOver = true;
      wake();
    });
  }

  /** Returns the next message, or undefined at the end. */
  async next(): Promise<Wire> {
    for (;;) {
      const messages = messagesIn(this.raw.slice(0, this.raw.lastIndexOf("\n\n") + 2));
      if (messages.length > this.#taken) return messages[this.#taken++];
      if (this.isOver) return undefined;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  leave(): void {
    this.response.destroy();
  }
}
