import { RpcError } from "../errors.js";
import type { AnyHandler, HandlerContext } from "../handlers.js";
import { INTERNAL_ERROR } from "../jsonrpc.js";
import { quiet } from "../quiet.js";
import type { SubscriptionOptions } from "./resource-types.js";
import { resourceNotFound } from "./resource-not-found.js";
import { Subscriptions } from "./subscriptions.js";

const DEFAULT_LIMIT = 1000;

/** Tells those that have subscribed to resources that these have changed (MCP: resources, subscriptions). */
export class ResourceUpdates<Context extends HandlerContext> {
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly #options: SubscriptionOptions<Context>;
  readonly #isKnown: (uri: string) => boolean;
  readonly #maxUriLength: number;
  readonly #limit: number;
  readonly #subscriptions: Subscriptions;
  /** Those that changed in the current turn. */
  readonly #updated = new Set<string>();

  /** @param isKnown - whether a URI is one that can be subscribed to */
  constructor(
    options: SubscriptionOptions<Context>,
    maxUriLength: number,
    isKnown: (uri: string) => boolean,
  ) {
    this.#options = options;
    this.#maxUriLength = maxUriLength;
    this.#isKnown = isKnown;
    this.#limit = options.limit ?? DEFAULT_LIMIT;
    this.#subscriptions = new Subscriptions(this.#limit, options.watch);
    this.handlers = {
      "resources/subscribe": (params, context) =>
        this.#subscribe((params as UriParams).uri, context as Context),
      "resources/unsubscribe": (params, { session }) => {
        this.#subscriptions.delete(session, (params as UriParams).uri);
        return {};
      },
    };
  }

  /** Tells the subscribers of a URI, and of its parents, at the end of the current turn. */
  updated(uri: string): void {
    this.#updated.add(uri);
    if (this.#updated.size === 1) queueMicrotask(() => this.#tell());
  }

  async #subscribe(uri: string, context: Context): Promise<object> {
    const { session } = context;
    const { unknown = false, onsubscribe } = this.#options;
    const isPossible = uri.length <= this.#maxUriLength && (unknown || this.#isKnown(uri));
    if (!isPossible) throw resourceNotFound(session.revision, uri);
    await onsubscribe?.(uri, context);
    context.signal.throwIfAborted();
    if (!this.#subscriptions.add(session, uri)) {
      const text = `Too many subscriptions: ${this.#limit} are possible; unsubscribe from some`;
      throw new RpcError(INTERNAL_ERROR, text);
    }
    return {};
  }

  #tell(): void {
    const uris = [...this.#updated];
    this.#updated.clear();
    for (const uri of uris) {
      for (const session of this.#subscriptions.subscribersOf(uri)) {
        void quiet(session.notify("notifications/resources/updated", { uri }));
      }
    }
  }
}

interface UriParams {
  readonly uri: string;
}
