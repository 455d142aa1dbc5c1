import { METHOD_NOT_FOUND, RpcError } from "@mcp-codegen/runtime";
import type { McpServerOptions } from "@mcp-codegen/universal/server";
import { isStateless, type Sender } from "./callers.js";
import type { Catalogue } from "./catalogue.js";
import type { Conversation } from "./conversation.js";
import type { Conversations } from "./conversations.js";

/** Ends a subscription of a conversation. */
type End = () => Promise<void>;

/**
 * Subscriptions to resources of servers. Each caller has them in its own conversation, because each may have its own
 * server process; callers that share a conversation have one for each resource.
 */
export class ResourceWatch {
  readonly #servers: ReadonlyMap<string, Conversations>;
  readonly #catalogue: Catalogue;
  readonly #updated: (uri: string) => void;
  readonly #report: (error: Error) => void;
  /** Subscriptions by the URI that clients know, and by conversation. */
  readonly #watched = new Map<string, Map<Conversation, Promise<End>>>();

  /** @param updated - called when a resource that callers without a session follow has changed */
  constructor(
    servers: ReadonlyMap<string, Conversations>,
    catalogue: Catalogue,
    updated: (uri: string) => void,
    report: (error: Error) => void,
  ) {
    this.#servers = servers;
    this.#catalogue = catalogue;
    this.#updated = updated;
    this.#report = report;
  }

  /** Options of the server that clients see. */
  readonly options: Exclude<McpServerOptions["subscriptions"], false> = {
    unknown: true,
    onsubscribe: async (uri, { auth, session }) => {
      if (isStateless(session)) await this.subscribe(uri, { auth, session, client: session.peer });
    },
    watch: (uri) => () => this.#end(uri),
  };

  /** Ends the subscription of a session. */
  unsubscribe(uri: string, { session }: Sender): void {
    for (const [conversation, watched] of this.#watched.get(uri) ?? []) {
      if (conversation.caller?.session === session) this.#leave(uri, conversation, watched);
    }
  }

  /** Subscribes in the conversation of a sender. @throws RpcError with which the server refuses it */
  async subscribe(given: string, sender: Sender): Promise<void> {
    let failure: unknown = new RpcError(METHOD_NOT_FOUND, "There are no subscriptions");
    for (const [name, uri] of this.#catalogue.ownUris(given)) {
      try {
        const conversation = await this.#servers.get(name)!.of(sender);
        if (!conversation.offers("resources.subscribe")) continue;
        await this.#follow(conversation, given, uri);
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #follow(conversation: Conversation, given: string, uri: string): Promise<void> {
    const all = this.#watched.get(given) ?? new Map<Conversation, Promise<End>>();
    this.#watched.set(given, all);
    const known = all.get(conversation);
    const watched = known ?? this.#watch(conversation, uri);
    if (known === undefined) {
      all.set(conversation, watched);
      const forget = (): void => void all.delete(conversation);
      watched.catch(forget);
      void conversation.client.closed.then(forget);
    }
    await watched;
  }

  async #watch(conversation: Conversation, uri: string): Promise<End> {
    const { client, caller, upstream } = conversation;
    const listener = (changed: string): void => {
      const shared = this.#catalogue.sharedUri(upstream.name, changed);
      if (caller?.session === undefined) return this.#updated(shared);
      const { session } = caller;
      void session.notify("notifications/resources/updated", { uri: shared }).catch(() => {});
    };
    await client.subscribe(uri, listener);
    conversation.subscriptions += 1;
    return () => client.unsubscribe(uri, listener);
  }

  #end(uri: string): void {
    for (const [conversation, watched] of this.#watched.get(uri) ?? [])
      this.#leave(uri, conversation, watched);
  }

  #leave(uri: string, conversation: Conversation, watched: Promise<End>): void {
    const all = this.#watched.get(uri);
    all?.delete(conversation);
    if (all?.size === 0) this.#watched.delete(uri);
    watched
      .then((end) => {
        conversation.subscriptions -= 1;
        return end();
      })
      .catch(this.#report);
  }
}
