import { type RequestId, isObject, isRequestId } from "../../wire/index.js";

/** Most ids that are kept; those of requests that were cancelled are never answered. */
const MOST = 10_000;

/**
 * The requests that a session has brought. A later session counts anew, so that an answer must not end up in
 * another than its own.
 */
export class ReceivedRequestIds {
  readonly #counts = new Map<RequestId, number>();

  /** Takes note of what was received. */
  note(value: unknown): void {
    if (Array.isArray(value)) for (const one of value) this.#noteOne(one);
    else this.#noteOne(value);
  }

  /** Removes an id. @returns True when this session was waiting for an answer with it. */
  take(id: RequestId): boolean {
    const count = this.#counts.get(id);
    if (count === undefined) return false;
    if (count > 1) this.#counts.set(id, count - 1);
    else this.#counts.delete(id);
    return true;
  }

  #noteOne(value: unknown): void {
    if (!isObject(value) || value["method"] === undefined || !isRequestId(value["id"])) return;
    const { id } = value as { id: RequestId };
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
    if (this.#counts.size <= MOST) return;
    for (const oldest of this.#counts.keys()) {
      this.#counts.delete(oldest);
      return;
    }
  }
}
