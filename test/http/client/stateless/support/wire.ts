import { revision } from "../../../../../generated/2026-07-28/index.js";
import type { HttpClientOptions } from "../../../../../runtime/http/client/index.js";
import { HttpClientTransport } from "../../../../../runtime/http/client/index.js";
import type { RequestId } from "../../../../../runtime/wire/messages/jsonrpc.js";
import type { Revision } from "../../../../../runtime/wire/revision/revision.js";
import type { Receiver } from "../../../../../runtime/wire/messages/transport.js";
import { closeAfter, until } from "../../support/clients.js";
import { answer, end, event, resultFor, stream } from "../../support/mcp-server.js";
import { type Handle, RawServer } from "../../support/raw-server.js";

export { revision };

/** The metadata that makes a request stateless. */
export const META = {
  "io.modelcontextprotocol/protocolVersion": revision.id,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A failure of a request or of its transport. */
export class Failure extends Error {}

/** A bare transport that records everything it delivers. */
export class Wire {
  readonly transport: HttpClientTransport;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly messages: any[] = [];
  /** Maps request ids to their failures. Failures that belong to no particular request are in `reported`. */
  readonly failures: Map<RequestId, Error> = new Map();
  readonly reported: Error[] = [];
  #lastId = 0;

  constructor(url: string, options: HttpClientOptions = {}) {
    this.transport = closeAfter(new HttpClientTransport(url, options));
    this.transport.offered(revision);
    void this.transport.start(this.#receiver());
    this.transport.agreed(revision);
  }

  /** Sends a request and returns its response, which may be an error. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async request(method: string, params: object = {}): Promise<any> {
    return this.answerTo(this.send(method, params));
  }

  send(method: string, params: object = {}): number {
    const id = ++this.#lastId;
    const sent = { ...params, _meta: { ...META, ...(params as { _meta?: object })["_meta"] } };
    const message = { jsonrpc: "2.0", id, method, params: sent } as const;
    const { stateless } = this.transport;
    const named = sent["_meta"]["io.modelcontextprotocol/protocolVersion"];
    if (stateless) void stateless.send(message, { ...revision, id: named });
    else this.transport.send(message);
    return id;
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async answerTo(id: number): Promise<any> {
    await until(() => this.failures.has(id) || this.messages.some((one) => one.id === id));
    const failure = this.failures.get(id);
    if (failure) throw failure;
    return this.messages.find((one) => one.id === id);
  }

  #receiver(): Receiver {
    return {
      message: (value) => void this.messages.push(value),
      malformed: ({ problem }) => void this.reported.push(new Failure(problem)),
      failed: (id, error) => {
        if (id === undefined) this.reported.push(error);
        else this.failures.set(id, error);
      },
      ended: () => {},
      closed: (error) => void this.reported.push(error ?? new Failure("closed")),
    };
  }
}

/**
 * Starts a server without sessions. `on` has its handlers by JSON-RPC method; every other request gets an empty result.
 */
export async function serve(on: Readonly<Record<string, Handle>> = {}): Promise<RawServer> {
  const server = await RawServer.start((seen, response) => {
    const handle = on[seen.body?.method ?? seen.method];
    if (handle) return handle(seen, response);
    if (seen.method !== "POST") return end(response, 405);
    if (seen.body.id === undefined) return end(response, 202);
    return answer(response, seen, { resultType: "complete" });
  });
  return closeAfter(server);
}

export const complete = (result: object = {}): object => ({ resultType: "complete", ...result });

export { answer, end, event, resultFor, stream, type Handle, type Revision, until };
export { json } from "../../support/mcp-server.js";
