import { expect } from "vitest";
import * as modern from "@mcp-codegen/2026-07-28";
import type { Frame } from "../../../../runtime/wire/messages/jsonrpc.js";
import type { Auth, Receiver, Transport } from "../../../../runtime/wire/messages/transport.js";
import type { Validator } from "../../../../runtime/wire/validation/validator.js";
import { type Carrier, RoundTrips, type Wire } from "./round-trips.js";

/** A client that the test controls, of one server in this process. It validates all messages that it receives. */
export class RawClient extends RoundTrips implements Transport, Carrier {
  readonly notifications: Wire[] = [];
  auth: Auth | undefined;
  /** Id of the last request. */
  lastId = 0;
  readonly #waiting = new Map<unknown, { method: string; resolve: (answer: Wire) => void }>();
  #receiver: Receiver | undefined;

  start(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(frame: Frame): undefined {
    const message = JSON.parse(JSON.stringify(frame)) as Wire;
    if (message.method !== undefined) return void this.notifications.push(message);
    const { method, resolve } = this.#waiting.get(message.id)!;
    this.#waiting.delete(message.id);
    if (message.result) assertIsResult(method, message.result);
    resolve(message);
  }

  close(): void {}

  request(method: string, params: object): Promise<Wire> {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, { method, resolve });
      const { auth } = this;
      const message = JSON.parse(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      this.#receiver!.message(message, auth && { auth });
    });
  }

  /** Sends nothing more, but keeps listening. */
  endInput(): void {
    this.#receiver!.ended();
  }

  /** Cancels the last request, so that no caller waits for its response any more. */
  cancel(): void {
    const params = { requestId: this.lastId, _meta: this.envelope };
    this.#receiver!.message({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  }
}

function assertIsResult(method: string, result: Wire): void {
  const row = modern.revision.methods.get(method);
  if (!row) return;
  const isInterim = result.resultType === "input_required";
  const validator = (isInterim ? row.inputResult : row.result) as Validator;
  const issues: object[] = [];
  expect(validator(result, issues as never), JSON.stringify(issues)).toBe(true);
  if (!isInterim) return;
  expect(result.inputRequests ?? result.requestState).toBeDefined();
  expect(result).not.toHaveProperty("ttlMs");
  expect(result).not.toHaveProperty("cacheScope");
}
