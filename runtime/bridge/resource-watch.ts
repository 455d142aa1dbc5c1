import { METHOD_NOT_FOUND, RpcError, type Session } from "@mcp-codegen/runtime";
import type { McpServerOptions } from "@mcp-codegen/universal/server";
import { isStateless, type Sender } from "./callers.js";
import type { Gateway } from "./middle.js";
import { OFFERED } from "./protocol.js";

const RESOURCES = OFFERED.find(({ subscribe }) => subscribe)!;

/**
 * Resource subscriptions at upstream servers. Each caller subscribes in its own conversation, because each may have its
 * own server process. Callers that share a conversation share one subscription per resource.
 */
export class ResourceWatch {
  readonly #gateway: Gateway;
  readonly #updated: (uri: string) => void;

  constructor(gateway: Gateway, updated: (uri: string) => void) {
    this.#gateway = gateway;
    this.#updated = updated;
  }

  readonly options: Exclude<McpServerOptions["subscriptions"], false> = {
    unknown: true,
    onsubscribe: async (uri, { auth, session }) => {
      if (isStateless(session)) await this.subscribe(uri, { auth, session, client: session.peer });
    },
    watch: (uri) => () => this.unsubscribe(uri, undefined),
  };

  async subscribe(given: string, sender: Sender): Promise<void> {
    const { access, catalogue, servers } = this.#gateway;
    let failure: unknown = new RpcError(
      METHOD_NOT_FOUND,
      "No server supports subscriptions to this resource",
    );
    for (const [name, uri] of catalogue.ownUris(given)) {
      try {
        const conversation = await servers.get(name)!.of(sender);
        if (!conversation.offers("resources.subscribe")) continue;
        const isAsked = await access.admit(
          name,
          RESOURCES,
          { name: uri, given, definition: undefined },
          sender,
        );
        // A subscription cannot ask the user for confirmation, so it is rejected if the policy requires one.
        if (isAsked) continue;
        const session = conversation.caller?.session;
        return await conversation.follow(given, uri, (changed) => {
          const shared = changed === uri ? given : catalogue.sharedUri(name, changed);
          if (session === undefined) this.#updated(shared);
          else
            void session.notify("notifications/resources/updated", { uri: shared }).catch(() => {});
        });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * Ends a session's subscription to a resource or, without a session, the subscriptions of all callers that do not
   * have one.
   */
  unsubscribe(given: string, session: Session | undefined): void {
    const { servers, report } = this.#gateway;
    for (const one of servers.values()) {
      one.each(session, (conversation) => conversation.unfollow(given)).catch(report);
    }
  }
}
