import type { Revision } from "../../../../runtime/wire/revision/revision.js";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import type { Receiver, Transport } from "../../../../runtime/wire/messages/transport.js";
import type { Trace, Validator } from "../../../../runtime/wire/validation/validator.js";

/** Any received value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

export const META = {
  revision: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;

/** Returns the `_meta` of a stateless request. */
export function envelope(more: object = {}, revision = "2026-07-28"): object {
  return {
    [META.revision]: revision,
    [META.clientInfo]: { name: "raw", version: "1" },
    [META.clientCapabilities]: {},
    ...more,
  };
}

/** Returns the id of the subscription that a notification names. */
export function tagOf({ params, result }: Wire): unknown {
  return (params ?? result)?.["_meta"]?.[META.subscription];
}

export interface Connectable {
  connect(transport: Transport): Promise<void>;
}

/**
 * A client that the test controls, at the other end of an in-memory pipe. It validates responses by the revision of
 * their request, and notifications by any of the revisions.
 */
export class RawClient implements Receiver {
  readonly received: Wire[] = [];
  readonly problems: string[] = [];
  isClosed = false;
  readonly #revisions: readonly Revision[];
  readonly #transport: Transport;
  readonly #requested = new Map<string, { revision: Revision; method: string }>();
  #wake: (() => void)[] = [];
  #seen = 0;

  constructor(revisions: readonly Revision[], transport: Transport) {
    this.#revisions = revisions;
    this.#transport = transport;
  }

  /** Connects a client to a server in memory. */
  static async of(server: Connectable, ...revisions: Revision[]): Promise<RawClient> {
    const [one, other] = memoryPair();
    const client = new RawClient(revisions, one);
    await one.start(client);
    await server.connect(other);
    return client;
  }

  say(message: Wire): void {
    const { id, method, params } = message;
    const named = params?.["_meta"]?.[META.revision];
    const revision =
      this.#revisions.find((one) => one.id === named) ??
      this.#revisions.find(({ traits }) => traits.lifecycle === "initialize") ??
      this.#revisions[0]!;
    if (id !== undefined && method !== undefined)
      this.#requested.set(JSON.stringify(id), { revision, method });
    void this.#transport.send({ jsonrpc: "2.0", ...message });
  }

  /** Sends a stateless request. */
  ask(id: unknown, method: string, params: object = {}, meta: object = {}): void {
    this.say({ id, method, params: { ...params, _meta: envelope(meta) } });
  }

  tell(method: string, params?: object): void {
    this.say({ method, params });
  }

  /** Sends a request and returns the response; `received` has the other messages that arrived. */
  async call(id: unknown, method: string, params: object = {}, meta: object = {}): Promise<Wire> {
    this.ask(id, method, params, meta);
    return this.answerTo(id);
  }

  answerTo(id: unknown): Promise<Wire> {
    return this.until((message) => message.id === id && message.method === undefined);
  }

  notified(method: string): Promise<Wire> {
    return this.until((message) => message.method === method);
  }

  /** Returns the first message that matches. */
  async until(matches: (message: Wire) => boolean): Promise<Wire> {
    for (;;) {
      const found = this.received.find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** Returns the messages since the last call, once no more are coming. */
  async rest(): Promise<Wire[]> {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    const rest = this.received.slice(this.#seen);
    this.#seen = this.received.length;
    return rest;
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  message(value: unknown): void {
    this.received.push(value);
    this.#check(value);
    for (const wake of this.#wake.splice(0)) wake();
  }

  malformed({ problem }: { problem: string }): void {
    this.problems.push(problem);
  }

  failed(_id: unknown, error: Error): void {
    this.problems.push(error.message);
  }

  ended(): void {
    this.isClosed = true;
  }

  closed(): void {
    this.isClosed = true;
  }

  #check({ id, method, params, result, error }: Wire): void {
    if (method !== undefined) {
      const rows = this.#revisions.flatMap(({ methods }) => methods.get(method) ?? []);
      const row = rows.find((one) =>
        params === undefined ? one.paramsOptional : one.params!(params),
      );
      if (!row || row.from === "client") this.problems.push(`not of any revision: ${method}`);
      if (id !== undefined && row?.kind !== "request") this.problems.push(`${method} with an id`);
      return;
    }
    if (error !== undefined) {
      if (!Number.isInteger(error.code) || typeof error.message !== "string") {
        this.problems.push("an error without code or message");
      }
      return;
    }
    const requested = this.#requested.get(JSON.stringify(id));
    const row = requested?.revision.methods.get(requested.method);
    if (!row) this.problems.push(`an answer to ${JSON.stringify(id)}, which nobody asked`);
    else this.#checkResult(requested!.method, row.result, row.inputResult, result);
  }

  #checkResult(
    method: string,
    final: Validator | undefined,
    input: Validator | undefined,
    result: Wire,
  ): void {
    const trace: Trace = [];
    const validator = result?.resultType === "input_required" ? input : final;
    if (!validator?.(result, trace)) this.problems.push(`${method}: ${JSON.stringify(trace)}`);
  }
}
