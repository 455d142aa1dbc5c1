import { METHOD_NOT_FOUND, RpcError } from "@mcp-codegen/runtime";
import type { McpServerOptions } from "@mcp-codegen/universal/server";
import type { Catalogue } from "./catalogue.js";
import type { Conversation } from "./conversation.js";
import type { Conversations } from "./conversations.js";

type Subscribed = () => Promise<void>;

/** Subscriptions to resources of servers, one for each URI, however many clients follow it. */
export class ResourceWatch {
  readonly #servers: ReadonlyMap<string, Conversations>;
  readonly #catalogue: Catalogue;
  readonly #updated: (uri: string) => void;
  readonly #report: (error: Error) => void;
  /** Subscriptions by the URI that clients know. */
  readonly #watched = new Map<string, Promise<Subscribed>>();

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
    onsubscribe: async (uri) => {
      await this.#subscription(uri);
    },
    watch: (uri) => () => this.#end(uri),
  };

  #subscription(uri: string): Promise<Subscribed> {
    let watched = this.#watched.get(uri);
    if (watched === undefined) {
      watched = this.#subscribe(uri);
      this.#watched.set(uri, watched);
      watched.catch(() => this.#watched.delete(uri));
    }
    return watched;
  }

  /** @throws RpcError with which the server refuses it */
  async #subscribe(given: string): Promise<Subscribed> {
    let failure: unknown = new RpcError(METHOD_NOT_FOUND, "There are no subscriptions");
    for (const [name, uri] of this.#catalogue.ownUris(given)) {
      try {
        const conversation = await this.#servers.get(name)!.shared();
        if (!conversation.offers("resources.subscribe")) continue;
        return await this.#follow(conversation, uri);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #follow({ client, upstream }: Conversation, uri: string): Promise<Subscribed> {
    const listener = (changed: string): void =>
      this.#updated(this.#catalogue.sharedUri(upstream.name, changed));
    await client.subscribe(uri, listener);
    return () => client.unsubscribe(uri, listener);
  }

  #end(uri: string): void {
    const watched = this.#watched.get(uri);
    this.#watched.delete(uri);
    watched?.then((end) => end()).catch(this.#report);
  }
}
