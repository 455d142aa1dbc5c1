import { Tally } from "../../ground/index.js";
import type { RequestContext } from "./request-context.js";

/** Messages whose handlers have not come back, those included that nobody waits for any more. */
export class BusyHandlers {
  /** Made with the first one, like everything that most connections hardly ever need: there can be many of them. */
  #all: Set<RequestContext> | undefined;
  /** Number at work for each sender, where requests of many senders come together. */
  #perSender: Tally<string> | undefined;

  get all(): Iterable<RequestContext> {
    return this.#all ?? [];
  }

  /** True when there is no room for one more; a sender among many gets half of it. */
  isFull(context: RequestContext, limit: number): boolean {
    if (this.#all === undefined || this.#all.size === 0) return false;
    if (this.#all.size >= 2 * limit) return true;
    const sender = senderOf(context);
    return sender !== undefined && (this.#perSender?.of(sender) ?? 0) >= limit;
  }

  add(context: RequestContext): void {
    this.#all ??= new Set();
    if (this.#all.has(context)) return;
    this.#all.add(context);
    this.#count(context, 1);
  }

  delete(context: RequestContext): void {
    if (this.#all?.delete(context)) this.#count(context, -1);
  }

  clear(): void {
    this.#all = undefined;
    this.#perSender = undefined;
  }

  #count(context: RequestContext, change: 1 | -1): void {
    const sender = senderOf(context);
    if (sender !== undefined) (this.#perSender ??= new Tally()).add(sender, change);
  }
}

function senderOf({ reply, auth }: RequestContext): string | undefined {
  return reply.hasOwnStream ? auth?.principal : undefined;
}
