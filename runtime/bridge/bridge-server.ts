import { customNotification, customRequest } from "@mcp-codegen/runtime";
import {
  type AskingContext,
  McpServer,
  type McpServerOptions,
} from "@mcp-codegen/universal/server";
import { type Conversation, noteLevel } from "./conversation.js";
import type { Gateway, Middle, Params } from "./middle.js";
import { capabilityOf, CHANGING, OFFERED } from "./protocol.js";
import { ResourceWatch } from "./resource-watch.js";
import { passedTasks, TASKS } from "./tasks.js";

/** Options for the side of a bridge that faces clients. */
export interface BridgeServerOptions {
  /** Options for the `McpServer` that clients see, such as `revisions`, `middleware` and `limits`. */
  readonly server?: McpServerOptions | undefined;
  /**
   * The name and version that clients see. Default: those of the server if a single one is passed without a name;
   * otherwise `mcp-bridge` and `0.0.0`.
   */
  readonly info?: { readonly name: string; readonly version: string } | undefined;
}

export type Lists = Pick<Middle, "list" | "use">;

/**
 * Returns true if at least one server behind the bridge has or may have the capability, such as `resources.subscribe`.
 */
type Offers = (path: string) => boolean;

type Handler = (params: Params, ctx: AskingContext, next: () => Promise<unknown>) => unknown;

/** The server that clients see. Closing it also ends the conversations with the servers behind it. */
export class BridgeServer extends McpServer {
  readonly #end: () => Promise<void>;
  #closed: Promise<Error | undefined> | undefined;

  /**
   * @param reached - the conversations with the servers that could be reached; if one is missing, all capabilities are
   *   declared, because that server may have them
   */
  constructor(
    gateway: Gateway,
    reached: readonly Conversation[],
    { middle, lists }: { readonly middle: Middle; readonly lists: Lists },
    options: BridgeServerOptions,
    end: () => Promise<void>,
  ) {
    const { servers, catalogue, report, reportOnce } = gateway;
    const isWhole = reached.length === servers.size;
    const offers: Offers = (path) =>
      !isWhole ||
      reached.some((one) => (path === "completions" ? one.completes : one.offers(path)));
    const only = catalogue.isPlain ? reached[0]!.client.server : undefined;
    const tasks = passedTasks(reached);
    const watch = offers("resources.subscribe")
      ? new ResourceWatch(gateway, (uri) => this.resourceUpdated(uri))
      : undefined;
    super(options.info ?? only?.info ?? { name: "mcp-bridge", version: "0.0.0" }, {
      instructions: instructionsOf(reached),
      onloss: ({ revision, method, path, reason }) => {
        const place = path.replaceAll(/\d+/g, "*");
        reportOnce(new Error(`Lost for clients of ${revision}: ${method} ${place} ${reason}`));
      },
      ...options.server,
      checkContent: false,
      capabilities: { ...capabilitiesOf(offers, only), ...options.server?.capabilities },
      extensions: [...(tasks?.extensions ?? []), ...(options.server?.extensions ?? [])],
      features: [...(tasks?.features ?? []), ...(options.server?.features ?? [])],
      logging: offers("logging"),
      subscriptions: watch?.options ?? false,
      onerror: report,
    });
    this.#end = end;
    const handlers: Record<string, Handler> = {
      ...listHandlers(lists, offers),
      "notifications/roots/list_changed": async (_params, { session }) => {
        for (const one of servers.values()) {
          await one.each(session, ({ client }) =>
            client.notify("notifications/roots/list_changed"),
          );
        }
      },
    };
    for (const method of tasks?.methods ?? []) {
      handlers[method] = (params, ctx) => middle.task(method, params, ctx);
    }
    if (offers("completions")) {
      handlers["completion/complete"] = (params, ctx) => middle.complete(params, ctx);
    }
    if (offers("logging")) {
      handlers["logging/setLevel"] = (params, { session }, next) => {
        noteLevel(session, params["level"]);
        return next();
      };
    }
    if (watch) {
      handlers["resources/subscribe"] = async (params, ctx, next) => {
        await watch.subscribe(String(params["uri"]), ctx);
        return next();
      };
      handlers["resources/unsubscribe"] = (params, { session }, next) => {
        watch.unsubscribe(String(params["uri"]), session);
        return next();
      };
    }
    for (const [method, handler] of Object.entries(handlers)) {
      // The `revisions` option can exclude every revision that has the method.
      if (this.revisions.some(({ methods }) => methods.has(method)))
        this.setHandler(method as "tools/list", handler as never);
    }
    this.onCustom(customRequest<Params, unknown>("*"), (params, ctx) => middle.other(params, ctx));
    this.onCustom(customNotification<unknown>("*"), (params, ctx) => middle.note(params, ctx));
  }

  override get closed(): Promise<Error | undefined> {
    this.#closed ??= super.closed.then(async (error) => {
      await this.#end();
      return error;
    });
    return this.#closed;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#end();
  }
}

function listHandlers(lists: Lists, offers: Offers): Record<string, Handler> {
  const handlers: Record<string, Handler> = {};
  for (const family of OFFERED.filter((one) => offers(capabilityOf(one)))) {
    const { list, use, templatesOf } = family;
    handlers[list] = (params, ctx) => lists.list(family, params, ctx);
    if (use && !templatesOf) handlers[use] = (params, ctx) => lists.use(family, params, ctx);
  }
  return handlers;
}

/**
 * Returns the capabilities to declare. They include `only`'s experimental capabilities and extensions, because the
 * bridge forwards their messages. Tasks are declared separately.
 */
function capabilitiesOf(
  offers: Offers,
  only: Conversation["client"]["server"] | undefined,
): object {
  const { experimental, extensions } = only?.capabilities ?? {};
  const { [TASKS]: _, ...others } = extensions ?? {};
  const lists = CHANGING.filter(({ name }) => offers(name));
  return {
    ...Object.fromEntries(lists.map(({ name }) => [name, { listChanged: true }])),
    ...(offers("completions") && { completions: {} }),
    ...(experimental && { experimental }),
    ...(Object.keys(others).length > 0 && { extensions: others }),
  };
}

function instructionsOf(reached: readonly Conversation[]): string | undefined {
  const all = reached.flatMap(({ upstream: { name }, client: { server } }) =>
    server.instructions === undefined
      ? []
      : [name === "" ? server.instructions : `# ${name}\n\n${server.instructions}`],
  );
  return all.length > 0 ? all.join("\n\n") : undefined;
}
