import type { RelatedCall } from "../../api/index.js";
import { META, type RequestId, isObject } from "../../wire/index.js";
import type { PendingRequest } from "./pending-request.js";
import type { ProgressReceiver } from "./progress-receiver.js";

/** Requests of this side that were answered with a task: there may still be progress of them, and questions (MCP: tasks). */
export class RequestsAsTasks {
  readonly #limit: number;
  readonly #news = new Map<RequestId, ProgressReceiver>();
  readonly #calls = new Map<unknown, RelatedCall>();

  /** @param limit - of requests that are kept; the oldest is forgotten first */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add({ id, news, call }: PendingRequest, { task }: { readonly task: object }): void {
    if (news) this.#keep(this.#news, id, news);
    this.#keep(this.#calls, (task as Record<string, unknown>)["taskId"], call);
  }

  /** Receiver of the progress of a request. */
  newsOf(id: RequestId): ProgressReceiver | undefined {
    return this.#news.get(id);
  }

  /** Request whose task a message names as its own. */
  callOf(params: unknown): RelatedCall | undefined {
    const meta = isObject(params) ? params["_meta"] : undefined;
    const related = isObject(meta) ? meta[META.relatedTask] : undefined;
    return isObject(related) ? this.#calls.get(related["taskId"]) : undefined;
  }

  stop(): void {
    for (const news of this.#news.values()) news.stop();
  }

  #keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    const [oldest] = map.keys();
    if (oldest !== undefined && map.size >= this.#limit) map.delete(oldest);
    map.set(key, value);
  }
}
