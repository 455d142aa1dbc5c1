import {
  type CustomRequest,
  customNotification,
  customRequest,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  LocalError,
  METHOD_NOT_FOUND,
  type MethodFamily,
  RpcError,
} from "@mcp-codegen/runtime";
import { urlElicitationsOf } from "@mcp-codegen/runtime/features";
import { isResourceNotFound } from "@mcp-codegen/universal/client";
import {
  type AskingContext,
  inputRequired,
  ResourceNotFoundError,
  ToolError,
  UrlElicitationRequiredError,
} from "@mcp-codegen/universal/server";
import { isRecord, type Sender } from "./callers.js";
import type { Catalogue, ServerPage } from "./catalogue.js";
import type { Conversation } from "./conversation.js";
import type { Conversations } from "./conversations.js";
import type { HeldCall, HeldCalls } from "./held-calls.js";
import { definitionOf } from "./listed-tools.js";
import { type Access, unknownItem } from "./policy.js";
import { capabilityOf, isDefined, mayAsk, OFFERED } from "./protocol.js";
import { withSharedUris } from "./shared-uris.js";
import { resultOfTask, TASK_LIST, TaskIds } from "./tasks.js";

export type Params = Readonly<Record<string, unknown>>;

type Place = readonly [server: string, own: string];

/** The state kept between the rounds of a request to a stateless server that needs input. */
interface Passed {
  readonly server: string;
  readonly requestState?: string | undefined;
}

interface Item {
  readonly family: MethodFamily;
  /** The item's name or URI on the server. */
  readonly name: string;
  /** The name or URI that the client sent. */
  readonly given: string;
}

export interface Gateway {
  readonly servers: ReadonlyMap<string, Conversations>;
  readonly catalogue: Catalogue;
  readonly held: HeldCalls;
  readonly access: Access;
  /**
   * The time that the bridge waits for one of several servers, in milliseconds: for its connection, and for each page
   * of a list.
   */
  readonly listTimeout: number;
  readonly report: (error: Error) => void;
  /** Reports an error unless one with the same message has already been reported. */
  readonly reportOnce: (error: Error) => void;
}

export class Middle {
  readonly #gateway: Gateway;
  readonly #tasks: TaskIds;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
    this.#tasks = new TaskIds(gateway.catalogue);
  }

  /**
   * Returns a page of a list. If there are several servers, one that fails is reported and left out, unless it rejects
   * the client's cursor.
   */
  async list(
    family: MethodFamily,
    params: Params | undefined,
    ctx: AskingContext,
  ): Promise<unknown> {
    const { catalogue, report } = this.#gateway;
    if (catalogue.isPlain) return this.#page("", family, params, ctx);
    const cursors = await catalogue.cursors(family, params?.["cursor"]);
    const pages = cursors.map(async ([name, cursor]) => {
      const { cursor: _, ...others } = params ?? {};
      const own = cursor === undefined ? others : { ...others, cursor };
      try {
        const result = await this.#pageOf(name, family, own, ctx);
        return { name, result } as ServerPage;
      } catch (error) {
        const isInvalid = error instanceof RpcError && error.code === INVALID_PARAMS;
        if (cursor !== undefined && isInvalid) throw error;
        ctx.signal.throwIfAborted();
        report(new Error(`${name}: ${family.list} failed: ${(error as Error).message}`));
        return { name } as ServerPage;
      }
    });
    return catalogue.page(family, await Promise.all(pages));
  }

  async use(family: MethodFamily, params: Params, ctx: AskingContext): Promise<unknown> {
    const { use, by } = family;
    const { catalogue } = this.#gateway;
    const given = params[by!];
    if (by === "uri") return this.#read(family, params, ctx);
    const found = catalogue.ownName(given);
    if (found === undefined) {
      throw unknownItem(family, given);
    }
    const [server, name] = found;
    const own = name === given ? params : { ...params, [by!]: name };
    return this.forward(server, use!, own, ctx, { family, name, given: String(given) });
  }

  async complete(params: Params, ctx: AskingContext): Promise<unknown> {
    const { catalogue } = this.#gateway;
    const ref = params["ref"] as Readonly<Record<string, unknown>>;
    const family = OFFERED.find(({ reference }) => reference === ref["type"]);
    if (family?.key === "name") {
      const found = catalogue.ownName(ref["name"]);
      if (found === undefined) throw unknownItem(family, ref["name"]);
      return this.#completeAt(found, family, params, ctx);
    }
    return this.#first(catalogue.ownUris(String(ref["uri"])), (place) =>
      this.#completeAt(place, family!, params, ctx),
    );
  }

  async #completeAt(
    [server, name]: Place,
    family: MethodFamily,
    params: Params,
    ctx: AskingContext,
  ): Promise<unknown> {
    const method = "completion/complete";
    const ref = params["ref"] as Readonly<Record<string, unknown>>;
    const by = family.key === "name" ? "name" : "uri";
    const item = { family, name, given: String(ref[by]) };
    return this.forward(server, method, { ...params, ref: { ...ref, [by]: name } }, ctx, item);
  }

  async task(method: string, params: Params, ctx: AskingContext): Promise<unknown> {
    if (method === TASK_LIST) return this.forward("", method, params, ctx);
    const [server, taskId] = this.#tasks.own(params["taskId"], ctx);
    const result = await this.forward(server, method, { ...params, taskId }, ctx);
    return method === "tasks/result" ? resultOfTask(result, params["taskId"]) : result;
  }

  /**
   * Forwards a request that is not defined by any revision. There must be only one server, because such a request does
   * not say which server it is for.
   */
  async other(params: Params | undefined, ctx: AskingContext): Promise<unknown> {
    const { method } = ctx;
    if (!this.#passesOther(method)) {
      const why = `${JSON.stringify(method)} is not a request of ${ctx.revision}`;
      const several = isDefined(method) ? "" : ", and says nothing about which server it is for";
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${why}${several}`);
    }
    return this.forward("", customRequest<unknown>(method, { inputResult: isRecord }), params, ctx);
  }

  async note(params: unknown, ctx: Sender & { readonly method: string }): Promise<void> {
    if (!this.#passesOther(ctx.method)) return;
    const { client } = await this.#gateway.servers.get("")!.of(ctx);
    await client.notify(customNotification<unknown>(ctx.method), params);
  }

  #passesOther(method: string): boolean {
    return this.#gateway.catalogue.isPlain && !isDefined(method);
  }

  /**
   * Forwards a request to a server. Returns the result, or questions for the caller if the server needs input.
   *
   * @param item - the item that the request uses, which the policy must permit
   */
  async forward(
    server: string,
    method: string | CustomRequest<unknown, unknown>,
    params: Params | undefined,
    ctx: AskingContext,
    item?: Item,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { held, servers } = this.#gateway;
    const { state } = ctx;
    const isConfirmed = isConfirmation(state);
    if (isConfirmed) checkConfirmed(ctx);
    const sent = isPassed(state) ? { ...params, ...answersTo(state, ctx) } : params;
    try {
      return await held.run(ctx, async (call) => {
        const { conversation, end } = await servers
          .get(server)!
          .lend(ctx, mayAsk(method), call.signal)
          .catch((error: unknown) => {
            throw refusalOf(error, server, ctx, "cannot be reached");
          });
        try {
          const isNew = isConfirmed || isRepeatable(ctx);
          if (item && isNew && (await this.#admit(item, conversation, call, ctx, isConfirmed)))
            return confirmation(item, ctx);
          const result = await conversation.send(method, sent, call, ctx, signal);
          return resultFrom(server, this.#shared(server, this.#tasks.shared(server, result, ctx)));
        } finally {
          end();
        }
      });
    } catch (error) {
      const { name = "", given = "" } = item ?? {};
      throw withGivenName(refusalOf(error, server, ctx), name, given);
    }
  }

  #shared(server: string, result: Record<string, unknown>): Record<string, unknown> {
    const { catalogue } = this.#gateway;
    if (catalogue.isPlain) return result;
    return withSharedUris(result, (uri) => catalogue.sharedUri(server, uri));
  }

  /** Applies the policy to a use of an item. Returns true if the user has to confirm it first. */
  async #admit(
    { family, name, given }: Item,
    conversation: Conversation,
    call: HeldCall,
    ctx: AskingContext,
    isConfirmed: boolean,
  ): Promise<boolean> {
    const { access } = this.#gateway;
    const { name: server } = conversation.upstream;
    const needed = family.noun === "tool" ? access.needed(server) : undefined;
    const definition =
      needed && (await definitionOf(name, family, needed, conversation, call, ctx));
    return access.admit(server, family, { name, given, definition }, ctx, isConfirmed);
  }

  async #read(family: MethodFamily, params: Params, ctx: AskingContext): Promise<unknown> {
    const { catalogue } = this.#gateway;
    const given = String(params["uri"]);
    const { state } = ctx;
    const places = catalogue.ownUris(given);
    const chosen = isPassed(state) ? places.filter(([server]) => server === state.server) : places;
    return this.#first(chosen, async ([server, uri]) => {
      const item = { family, name: uri, given };
      const result = await this.forward(server, family.use!, { ...params, uri }, ctx, item);
      // The server may have become the owner of the URI only just now, and clients may know the resource by two URIs.
      // Return the one that was requested.
      const own = catalogue.sharedUri(server, uri);
      if (own === given || !isRecord(result) || !Array.isArray(result["contents"])) return result;
      return withSharedUris(result, (one) => (one === own ? given : one));
    });
  }

  /**
   * Returns the result from the first server where the request succeeds. If there are several servers, any error leads
   * to the next one. If all fail, throws the first error.
   */
  async #first(
    places: readonly Place[],
    request: (place: Place) => Promise<unknown>,
  ): Promise<unknown> {
    let failure: unknown;
    for (const place of places) {
      try {
        return await request(place);
      } catch (error) {
        const isElsewhere = isResourceNotFound(error) || places.length > 1;
        if (!isElsewhere) throw error;
        failure ??= error;
      }
    }
    throw failure ?? new ResourceNotFoundError(String(places[0]?.[1]));
  }

  async #page(
    server: string,
    family: MethodFamily,
    params: Params | undefined,
    ctx: AskingContext,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { access } = this.#gateway;
    const result = await this.forward(server, family.list, params, ctx, undefined, signal);
    if (!isRecord(result) || !Array.isArray(result[family.name])) return result;
    const items = (result[family.name] as readonly unknown[]).filter(isRecord);
    return {
      ...result,
      [family.name]: await access.visible(server, family, items, ctx),
      ...(access.isPersonal && { cacheScope: "private" }),
    };
  }

  async #pageOf(
    name: string,
    family: MethodFamily,
    params: Params,
    ctx: AskingContext,
  ): Promise<unknown> {
    const { servers, listTimeout } = this.#gateway;
    const one = servers.get(name)!;
    const late = AbortSignal.timeout(listTimeout);
    const shared = await one.promptly("connect", late, () => one.shared());
    if (!shared.offers(capabilityOf(family))) return {};
    return one.promptly(family.list, late, () => this.#page(name, family, params, ctx, late));
  }
}

/** Returns the form in which the user confirms a use. A completion cannot ask for that, and is empty. */
function confirmation({ family: { noun }, given }: Item, { method }: AskingContext): unknown {
  if (method === "completion/complete") return { completion: { values: [] } };
  const message =
    noun === "tool"
      ? `Call the tool ${JSON.stringify(given)}? It may change or delete something.`
      : `Use the ${noun} ${JSON.stringify(given)}?`;
  const requestedSchema = { type: "object", properties: {} } as const;
  const confirm = inputRequired.elicit({ message, requestedSchema });
  return inputRequired({ requests: { confirm }, state: { confirms: true } });
}

/** Returns true if no earlier round has started work that this round continues. */
function isRepeatable({ state }: AskingContext): boolean {
  return state === undefined || (isRecord(state) && Array.isArray(state["visitedPages"]));
}

function isConfirmation(state: unknown): boolean {
  return isRecord(state) && state["confirms"] === true;
}

function checkConfirmed({ method, answers }: AskingContext): void {
  const { action } = (answers["confirm"] ?? {}) as { readonly action?: unknown };
  if (action === "accept") return;
  const problem = "The user did not confirm the call";
  throw method === "tools/call" ? new ToolError(problem) : new RpcError(INVALID_PARAMS, problem);
}

function answersTo({ requestState }: Passed, { answers }: AskingContext): Params {
  return { inputResponses: answers, ...(requestState !== undefined && { requestState }) };
}

function isPassed(state: unknown): state is Passed {
  return isRecord(state) && typeof state["server"] === "string";
}

/**
 * Returns a result. Questions from a stateless server are returned together with that server's name and state, which
 * the next round needs.
 */
function resultFrom(server: string, result: Record<string, unknown>): unknown {
  if (result["resultType"] !== "input_required") return result;
  const { inputRequests, requestState } = result;
  return inputRequired({ requests: inputRequests as never, state: { server, requestState } });
}

/** Returns an error in which the server's name for an item is the one that the client sent. */
function withGivenName(error: unknown, name: string, given: string): unknown {
  if (name === given || !(error instanceof RpcError) || error.code !== INVALID_PARAMS) return error;
  const message = error.message.replace(JSON.stringify(name), () => JSON.stringify(given));
  return message === error.message ? error : new RpcError(error.code, message, error.data);
}

/**
 * Returns the error for the client. It names the server if the server did not respond.
 *
 * @param problem - the reason why the server could not be used; absent if the request was sent
 */
function refusalOf(error: unknown, server: string, ctx: AskingContext, problem?: string): unknown {
  const { method } = ctx;
  const who = server === "" ? "The server" : `The server ${JSON.stringify(server)}`;
  if (error instanceof RpcError) {
    const { requiredCapabilities } = isRecord(error.data) ? error.data : {};
    if (isRecord(requiredCapabilities)) ctx.require(requiredCapabilities);
    const pages = urlElicitationsOf(error);
    const embeds = ctx.traits.serverRequests === "embedded" && mayAsk(method);
    return pages.length > 0 && embeds && isRepeatable(ctx)
      ? new UrlElicitationRequiredError(pages, error.message)
      : error;
  }
  if (error instanceof ToolError || ctx.signal.aborted) return error;
  const { cause = error } = error as Error;
  if ((cause as { readonly code?: unknown }).code === "CONTRACT_DRIFT") {
    return new RpcError(INTERNAL_ERROR, (cause as Error).message.replace("The server", who));
  }
  if (problem !== undefined) return new RpcError(INTERNAL_ERROR, `${who} ${problem}`);
  if (!(error instanceof LocalError)) return error;
  switch (error.code) {
    case "CAPABILITY":
      return new RpcError(METHOD_NOT_FOUND, `Method not found: ${who} does not offer ${method}`);
    case "INVALID_MESSAGE":
      return new RpcError(INTERNAL_ERROR, `${who} sent an invalid response to ${method}`);
    case "INPUT_REFUSED":
      return new RpcError(INVALID_PARAMS, error.message);
    default:
      return new RpcError(INTERNAL_ERROR, `${who} has ended before its response to ${method}`);
  }
}
