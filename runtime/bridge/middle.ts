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
import { isResourceNotFound } from "@mcp-codegen/universal/client";
import { families } from "@mcp-codegen/universal/families";
import {
  type AskingContext,
  type HeldCalls,
  inputRequired,
  ResourceNotFoundError,
  ToolError,
} from "@mcp-codegen/universal/server";
import { isRecord, type Sender } from "./callers.js";
import type { Catalogue, ServerPage } from "./catalogue.js";
import type { Conversation } from "./conversation.js";
import type { Conversations } from "./conversations.js";
import type { Access } from "./policy.js";
import { resultOfTask, TASK_LIST, TaskIds } from "./tasks.js";

/** Lists that servers offer. */
export const OFFERED: readonly MethodFamily[] = (families as readonly MethodFamily[]).filter(
  ({ from }) => from === "client",
);

/** Pages that are read for the definition of one tool. */
const MOST_PAGES = 100;

export type Params = Readonly<Record<string, unknown>>;

/** State of a request whose server needs input, between two rounds. */
interface Passed {
  /** Name of the server. */
  readonly server: string;
  /** State of the server itself. */
  readonly requestState?: string | undefined;
}

/** Parts of a {@link Middle}. */
export interface MiddleParts {
  /** Conversations by the name of the server. */
  readonly servers: ReadonlyMap<string, Conversations>;
  readonly catalogue: Catalogue;
  readonly held: HeldCalls;
  readonly access: Access;
  /** Milliseconds that one of several servers may take for a page of a list. */
  readonly listTimeout: number;
  /** True for a method that some revision defines. */
  readonly isDefined: (method: string) => boolean;
  readonly report: (error: Error) => void;
}

/** Forwards the requests of clients to servers, and returns their results. */
export class Middle {
  readonly #parts: MiddleParts;
  readonly #tasks: TaskIds;

  constructor(parts: MiddleParts) {
    this.#parts = parts;
    this.#tasks = new TaskIds(parts.catalogue);
  }

  /** Returns a page of a list: that of the only server, or of all servers together. */
  async list(
    family: MethodFamily,
    params: Params | undefined,
    ctx: AskingContext,
  ): Promise<unknown> {
    const { catalogue, report } = this.#parts;
    if (catalogue.isPlain) return this.#page("", family, params, ctx);
    const pages = catalogue.cursors(params?.["cursor"]).map(async ([name, cursor]) => {
      const { cursor: _, ...others } = params ?? {};
      const own = cursor === undefined ? others : { ...others, cursor };
      try {
        const result = await this.#pageOf(name, family, own, ctx);
        return { name, result } as ServerPage;
      } catch (error) {
        if (cursor !== undefined && error instanceof RpcError && error.code === INVALID_PARAMS)
          throw error;
        ctx.signal.throwIfAborted();
        report(new Error(`${name}: ${family.list} failed: ${(error as Error).message}`));
        return { name } as ServerPage;
      }
    });
    return catalogue.page(family, await Promise.all(pages));
  }

  /** Uses one item of a list: calls a tool, reads a resource. */
  async use(family: MethodFamily, params: Params, ctx: AskingContext): Promise<unknown> {
    const { use, by, noun } = family;
    const { catalogue, access } = this.#parts;
    const given = params[by!];
    if (by === "uri") return this.#read(family, params, ctx);
    const found = catalogue.ownName(given);
    if (found === undefined) {
      throw new RpcError(INVALID_PARAMS, `Unknown ${noun}: ${JSON.stringify(given)}`);
    }
    const [server, name] = found;
    if (ctx.state === undefined) {
      if (access.lacks(server, family, name)) await this.#learn(server, family, ctx);
      if (await this.#admit(server, family, name, ctx)) return confirmation(String(given));
    } else if (isRecord(ctx.state) && ctx.state["confirms"] === true) {
      const { action } = (ctx.answers["confirm"] ?? {}) as { readonly action?: unknown };
      if (action !== "accept") throw new ToolError("The user did not confirm the call");
    }
    return this.forward(server, use!, { ...params, [by!]: name }, ctx);
  }

  /** Completes an argument of a prompt or of a resource template. */
  async complete(params: Params, ctx: AskingContext): Promise<unknown> {
    const { catalogue } = this.#parts;
    const method = "completion/complete";
    const ref = params["ref"] as Readonly<Record<string, unknown>>;
    const family = OFFERED.find(({ reference }) => reference === ref["type"]);
    if (family?.key === "name") {
      const found = catalogue.ownName(ref["name"]);
      if (found === undefined) throw new RpcError(INVALID_PARAMS, "Unknown prompt");
      await this.#admit(found[0], family, found[1], ctx);
      return this.forward(found[0], method, { ...params, ref: { ...ref, name: found[1] } }, ctx);
    }
    return this.#first(catalogue.ownUris(String(ref["uri"])), (server, uri) =>
      this.forward(server, method, { ...params, ref: { ...ref, uri } }, ctx),
    );
  }

  /** Sends a request about a task to the server that runs it. */
  async task(method: string, params: Params, ctx: AskingContext): Promise<unknown> {
    if (method === TASK_LIST) return this.forward("", method, params, ctx);
    const [server, taskId] = this.#tasks.own(params["taskId"], ctx);
    const result = await this.forward(server, method, { ...params, taskId }, ctx);
    return method === "tasks/result" ? resultOfTask(result, params["taskId"]) : result;
  }

  /** Sends a request that no revision defines to the only server. @throws RpcError if there are several */
  async other(params: Params | undefined, ctx: AskingContext): Promise<unknown> {
    const { method } = ctx;
    if (!this.#passesOther(method)) {
      const why = `${JSON.stringify(method)} is not a request of ${ctx.revision}`;
      const several = this.#parts.isDefined(method)
        ? ""
        : ", and says nothing about which server it is for";
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${why}${several}`);
    }
    return this.forward("", customRequest<unknown>(method, { inputResult: isRecord }), params, ctx);
  }

  /** Sends a notification that no revision defines to the only server. */
  async note(params: unknown, ctx: Sender & { readonly method: string }): Promise<void> {
    if (!this.#passesOther(ctx.method)) return;
    const { client } = await this.#parts.servers.get("")!.of(ctx);
    await client.notify(customNotification<unknown>(ctx.method), params);
  }

  #passesOther(method: string): boolean {
    return this.#parts.catalogue.isPlain && !this.#parts.isDefined(method);
  }

  /**
   * Sends a request to a server in the conversation of its caller. Returns the result or, if the server needs input,
   * the questions for the caller.
   * @throws RpcError with which the server answered, or that says why there is no answer
   */
  async forward(
    server: string,
    method: string | CustomRequest<unknown, unknown>,
    params: Params | undefined,
    ctx: AskingContext,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { held } = this.#parts;
    const state = isPassed(ctx.state) ? ctx.state : undefined;
    const answers = state && {
      inputResponses: ctx.answers,
      ...(state.requestState !== undefined && { requestState: state.requestState }),
    };
    const conversation = await this.#conversation(server, ctx);
    try {
      return await held.run(ctx, async (call) => {
        const sent = { ...params, ...answers };
        const result = await conversation.send(method, sent, call, ctx, signal);
        return resultFrom(server, this.#tasks.shared(server, result, ctx));
      });
    } catch (error) {
      throw refusalOf(error, server, ctx);
    }
  }

  /** Conversation of the caller with a server. @throws RpcError that says why there is none */
  async #conversation(server: string, ctx: AskingContext): Promise<Conversation> {
    try {
      return await this.#parts.servers.get(server)!.of(ctx);
    } catch (error) {
      const failure = error instanceof RpcError ? error : new Unreachable("", { cause: error });
      throw refusalOf(failure, server, ctx);
    }
  }

  /** Decides about the use of an item, once the conversation of the caller has been compared with the contract. */
  async #admit(
    server: string,
    family: MethodFamily,
    name: string,
    ctx: AskingContext,
  ): Promise<boolean> {
    const { access } = this.#parts;
    if (access.pins) await this.#conversation(server, ctx);
    return access.admit(server, family, name, ctx);
  }

  /** Reads a resource of the server that has it. */
  async #read(family: MethodFamily, params: Params, ctx: AskingContext): Promise<unknown> {
    const { catalogue } = this.#parts;
    const given = String(params["uri"]);
    const { state } = ctx;
    const places = catalogue.ownUris(given);
    const chosen = isPassed(state) ? places.filter(([server]) => server === state.server) : places;
    return this.#first(chosen, async (server, uri) => {
      if (ctx.state === undefined) await this.#admit(server, family, uri, ctx);
      const result = await this.forward(server, family.use!, { ...params, uri }, ctx);
      if (!isRecord(result) || !Array.isArray(result["contents"])) return result;
      const contents: readonly unknown[] = result["contents"];
      const shared = contents.map((one) =>
        isRecord(one) && one["uri"] === uri ? { ...one, uri: given } : one,
      );
      return { ...result, contents: shared };
    });
  }

  /** Result of the first server that knows the resource. */
  async #first(
    places: readonly (readonly [server: string, uri: string])[],
    request: (server: string, uri: string) => Promise<unknown>,
  ): Promise<unknown> {
    let failure: unknown;
    for (const [server, uri] of places) {
      try {
        return await request(server, uri);
      } catch (error) {
        const isElsewhere = isResourceNotFound(error) || places.length > 1;
        if (!isElsewhere) throw error;
        failure ??= error;
      }
    }
    throw failure ?? new ResourceNotFoundError(String(places[0]?.[1]));
  }

  /** A page of a list of one server, without the items that the policy denies. */
  async #page(
    server: string,
    family: MethodFamily,
    params: Params | undefined,
    ctx: AskingContext,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { access } = this.#parts;
    const result = await this.forward(server, family.list, params, ctx, signal);
    if (!isRecord(result) || !Array.isArray(result[family.name])) return result;
    const items = (result[family.name] as readonly unknown[]).filter(isRecord);
    return {
      ...result,
      [family.name]: access.visible(server, family, items, ctx),
      ...(access.isPersonal && { cacheScope: "private" }),
    };
  }

  /** Reads a whole list, for the definitions in it. */
  async #learn(server: string, family: MethodFamily, ctx: AskingContext): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.#page(server, family, params, ctx);
      cursor = isRecord(result) ? result["nextCursor"] : undefined;
      if (cursor === undefined) return;
    }
  }

  async #pageOf(
    name: string,
    family: MethodFamily,
    params: Params,
    ctx: AskingContext,
  ): Promise<unknown> {
    const { capability } = family;
    const { servers, listTimeout } = this.#parts;
    const late = AbortSignal.timeout(listTimeout);
    const shared = await inTime(servers.get(name)!.shared(), late);
    if (!shared.offers(capability!.split(".")[1]!)) return {};
    return inTime(this.#page(name, family, params, ctx, late), late);
  }
}

/** Question to the user before a call. */
function confirmation(name: string): unknown {
  const message = `Call the tool ${JSON.stringify(name)}? It may change or delete something.`;
  const requestedSchema = { type: "object", properties: {} } as const;
  const confirm = inputRequired.elicit({ message, requestedSchema });
  return inputRequired({ requests: { confirm }, state: { confirms: true } });
}

/** A conversation could not be opened. */
class Unreachable extends Error {}

/** Waits for a promise until a signal aborts. */
async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error("there was no response in time"));
    signal.addEventListener("abort", fail, { once: true });
  });
  return Promise.race([promise, late]);
}

function isPassed(state: unknown): state is Passed {
  return isRecord(state) && typeof state["server"] === "string";
}

/** Returns a result; if it has questions of a stateless server, returns the questions with the state of that server. */
function resultFrom(server: string, result: Record<string, unknown>): unknown {
  if (result["resultType"] !== "input_required") return result;
  const { inputRequests, requestState } = result;
  return inputRequired({ requests: inputRequests as never, state: { server, requestState } });
}

/** Error for the client. It names the server if that did not respond. */
function refusalOf(error: unknown, server: string, ctx: AskingContext): unknown {
  const { method } = ctx;
  const who = server === "" ? "The server" : `The server ${JSON.stringify(server)}`;
  if (error instanceof RpcError) {
    const { requiredCapabilities } = isRecord(error.data) ? error.data : {};
    if (isRecord(requiredCapabilities)) ctx.require(requiredCapabilities);
    return error;
  }
  if (error instanceof ToolError || ctx.signal.aborted) return error;
  const { cause = error } = error as Error;
  if ((cause as { readonly code?: unknown }).code === "CONTRACT_DRIFT") {
    return new RpcError(INTERNAL_ERROR, (cause as Error).message.replace("The server", who));
  }
  if (error instanceof Unreachable) {
    return new RpcError(INTERNAL_ERROR, `${who} cannot be reached`);
  }
  if (!(error instanceof LocalError)) return error;
  switch (error.code) {
    case "CAPABILITY":
      return new RpcError(METHOD_NOT_FOUND, `Method not found: ${who} does not offer ${method}`);
    case "INVALID_MESSAGE":
      return new RpcError(INTERNAL_ERROR, `${who} sent an invalid response to ${method}`);
    case "INPUT_REFUSED":
      return new RpcError(INVALID_PARAMS, error.message);
    case "REQUEST_TIMEOUT":
      return new RpcError(INTERNAL_ERROR, `${who} did not respond to ${method} in time`);
    default:
      return new RpcError(INTERNAL_ERROR, `${who} has ended before its response to ${method}`);
  }
}
