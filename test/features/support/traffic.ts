import type { Revision } from "../../../runtime/wire/revision/revision.js";
import type { Trace, Validator } from "../../../runtime/wire/validation/validator.js";
import type { Wire } from "./revisions.js";

/** Records all messages and checks each one against its revision. */
export class Traffic {
  readonly sent: { readonly from: "client" | "server"; readonly message: Wire }[] = [];
  /** The reasons why messages do not conform to the revision. */
  readonly problems: string[] = [];
  readonly #revision: Revision;
  /** The methods of requests, by sender and id. */
  readonly #requested = new Map<string, string>();

  constructor(revision: Revision) {
    this.#revision = revision;
  }

  see(text: string, end: 0 | 1): void {
    const from = end === 0 ? "client" : "server";
    const message = JSON.parse(text) as Wire;
    this.sent.push({ from, message });
    if (message.method !== undefined) this.#checkParams(from, message);
    else this.#checkAnswer(from, message);
  }

  /** Returns the parameters of all sent notifications with this name. */
  notified(method: string): Wire[] {
    const found = this.sent.filter(({ message }) => message.method === method);
    return found.map(({ message }) => message.params);
  }

  #checkParams(from: "client" | "server", { id, method, params }: Wire): void {
    const row = this.#revision.methods.get(method);
    if (!row || (row.from !== from && row.from !== "both")) {
      this.problems.push(`${from} sent ${method}`);
      return;
    }
    if (id !== undefined) this.#requested.set(`${from} ${JSON.stringify(id)}`, method);
    if (params !== undefined || !row.paramsOptional) this.#check(method, row.params, params);
  }

  #checkAnswer(from: "client" | "server", { id, result, error }: Wire): void {
    const asker = from === "client" ? "server" : "client";
    const method = this.#requested.get(`${asker} ${JSON.stringify(id)}`);
    const row = this.#revision.methods.get(method ?? "");
    if (!row) this.problems.push(`${from} answered ${id}, which nobody asked`);
    else if (error === undefined) this.#check(`result of ${method}`, row.result, result);
    else if (!Number.isInteger(error.code) || typeof error.message !== "string") {
      this.problems.push(`${from} sent an error without code or message`);
    }
  }

  #check(what: string, validator: Validator | undefined, value: unknown): void {
    const trace: Trace = [];
    if (validator && !validator(value, trace)) {
      this.problems.push(`${what}: ${JSON.stringify(trace)}`);
    }
  }
}
