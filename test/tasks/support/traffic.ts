import { acceptsResult } from "../../../runtime/engine/index.js";
import type { Method, Revision } from "../../../runtime/wire/revision/revision.js";

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
}

/** All messages that two ends of a connection exchange, each checked against its revision. */
export class Traffic {
  readonly messages: (Sent & { readonly from: "client" | "server" })[] = [];
  readonly wrong: string[] = [];
  readonly #methods: Revision["methods"];
  readonly #requested = new Map<string, { row: Method; params: unknown }>();

  constructor(revision: Revision) {
    this.#methods = revision.methods;
  }

  readonly ontext = (text: string, from: 0 | 1): void => {
    const message = JSON.parse(text) as Sent;
    const side = from === 0 ? "client" : "server";
    this.messages.push({ ...message, from: side });
    const isRight =
      message.method === undefined ? this.#answer(side, message) : this.#ask(side, message);
    if (!isRight) this.wrong.push(text);
  };

  /** Returns the parameters of a method's messages, in order. */
  of(method: string): Record<string, unknown>[] {
    return this.messages.filter((one) => one.method === method).map(({ params = {} }) => params);
  }

  #ask(side: string, { id, method, params }: Sent): boolean {
    const row = this.#methods.get(method!);
    if (row === undefined || (row.from !== "both" && row.from !== side)) return false;
    if (id !== undefined) this.#requested.set(JSON.stringify([side, id]), { row, params });
    return params === undefined
      ? row.paramsOptional
      : row.params === undefined || row.params(params);
  }

  #answer(side: string, { id, result }: Sent): boolean {
    const asker = side === "client" ? "server" : "client";
    const requested = this.#requested.get(JSON.stringify([asker, id]));
    if (requested === undefined) return false;
    if (result === undefined) return true;
    const { row, params } = requested;
    return acceptsResult(row, params, result);
  }
}
