import {
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
import { isRecord } from "./callers.js";
import type { Catalogue, ServerPage } from "./catalogue.js";
import type { Conversations } from "./conversations.js";

/** Lists that servers offer. */
export const OFFERED: readonly MethodFamily[] = (families as readonly MethodFamily[]).filter(
  ({ from }) => from === "client",
);

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
  /** Milliseconds that one of several servers may take for a page of a list. */
  readonly listTimeout: number;
  readonly report: (error: Error) => void;
}

/** Passes the requests of clients on to servers, and the results back. */
export class Middle {
  readonly #parts: MiddleParts;

  constructor(parts: MiddleParts) {
    this.#parts = parts;
  }

  /** Returns a page of a list: that of the only server, or of all servers together. */
  async list(
    family: MethodFamily,
    params: Params | undefined,
    ctx: AskingContext,
  ): Promise<unknown> {
    const { catalogue, report } = this.#parts;
    if (catalogue.isPlain) return this.forward("", family.list, params, ctx);
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
  async use({ use, by, noun }: MethodFamily, params: Params, ctx: AskingContext): Promise<unknown> {
    const { catalogue } = this.#parts;
    const given = params[by!];
    if (by === "uri") return this.#read(use!, params, ctx);
    const found = catalogue.ownName(given);
    if (found === undefined) {
      throw new RpcError(INVALID_PARAMS, `Unknown ${noun}: ${JSON.stringify(given)}`);
    }
    const [server, name] = found;
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
      return this.forward(found[0], method, { ...params, ref: { ...ref, name: found[1] } }, ctx);
    }
    return this.#first(catalogue.ownUris(String(ref["uri"])), (server, uri) =>
      this.forward(server, method, { ...params, ref: { ...ref, uri } }, ctx),
    );
  }

  /**
   * Sends a request to a server in the conversation of its caller, and returns the result; if the server needs input, the
   * questions for the caller.
   * @throws RpcError with which the server answered, or that says why there is no answer
   */
  async forward(
    server: string,
    method: string,
    params: Params | undefined,
    ctx: AskingContext,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { servers, held } = this.#parts;
    const state = isPassed(ctx.state) ? ctx.state : undefined;
    const answers = state && {
      inputResponses: ctx.answers,
      ...(state.requestState !== undefined && { requestState: state.requestState }),
    };
    try {
      const conversation = await servers
        .get(server)!
        .of(ctx)
        .catch((error: unknown) => {
          throw error instanceof RpcError ? error : new Unreachable("", { cause: error });
        });
      return await held.run(ctx, async (call) => {
        const sent = { ...params, ...answers };
        return asked(server, await conversation.send(method, sent, call, ctx, signal));
      });
    } catch (error) {
      throw refusalOf(error, server, method, ctx);
    }
  }

  /** Reads a resource of the server that has it. */
  async #read(method: string, params: Params, ctx: AskingContext): Promise<unknown> {
    const { catalogue } = this.#parts;
    const given = String(params["uri"]);
    const { state } = ctx;
    const places = catalogue.ownUris(given);
    const chosen = isPassed(state) ? places.filter(([server]) => server === state.server) : places;
    return this.#first(chosen, async (server, uri) => {
      const result = await this.forward(server, method, { ...params, uri }, ctx);
      if (!isRecord(result) || !Array.isArray(result["contents"])) return result;
      const contents: readonly unknown[] = result["contents"];
      const shared = contents.map((one) =>
        isRecord(one) && one["uri"] === uri ? { ...one, uri: given } : one,
      );
      return { ...result, contents: shared };
    });
  }

  /** Result of the first place that knows the resource. */
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

  async #pageOf(
    name: string,
    { list, capability }: MethodFamily,
    params: Params,
    ctx: AskingContext,
  ): Promise<unknown> {
    const { servers, listTimeout } = this.#parts;
    const late = AbortSignal.timeout(listTimeout);
    const shared = await inTime(servers.get(name)!.shared(), late);
    if (!shared.offers(capability!.split(".")[1]!)) return {};
    return inTime(this.forward(name, list, params, ctx, late), late);
  }
}

/** A conversation could not be opened. */
class Unreachable extends Error {}

/** Waits for a promise until a signal aborts. */
async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("there was no answer in time")), {
      once: true,
    });
  });
  return Promise.race([promise, late]);
}

function isPassed(state: unknown): state is Passed {
  return isRecord(state) && typeof state["server"] === "string";
}

/** A result; if it has questions of a stateless server, the questions with the state of that server. */
function asked(server: string, result: Record<string, unknown>): unknown {
  if (result["resultType"] !== "input_required") return result;
  const { inputRequests, requestState } = result;
  return inputRequired({ requests: inputRequests as never, state: { server, requestState } });
}

/** Error for the client, which names the server if that did not answer. */
function refusalOf(error: unknown, server: string, method: string, ctx: AskingContext): unknown {
  const who = server === "" ? "The server" : `The server ${JSON.stringify(server)}`;
  if (error instanceof RpcError) {
    const { requiredCapabilities } = isRecord(error.data) ? error.data : {};
    if (isRecord(requiredCapabilities)) ctx.require(requiredCapabilities);
    return error;
  }
  if (error instanceof ToolError || ctx.signal.aborted) return error;
  if (error instanceof Unreachable) {
    return new RpcError(INTERNAL_ERROR, `${who} cannot be reached`);
  }
  if (!(error instanceof LocalError)) return error;
  switch (error.code) {
    case "CAPABILITY":
      return new RpcError(METHOD_NOT_FOUND, `Method not found: ${who} does not offer ${method}`);
    case "INVALID_MESSAGE":
      return new RpcError(INTERNAL_ERROR, `${who} sent an invalid answer to ${method}`);
    case "REQUEST_TIMEOUT":
      return new RpcError(INTERNAL_ERROR, `${who} did not answer ${method} in time`);
    default:
      return new RpcError(INTERNAL_ERROR, `${who} has ended before it answered ${method}`);
  }
}
