import { onTestFinished } from "vitest";
import { Server } from "@mcp-codegen/2026-07-28";
import type { HandlerContext } from "../../../../runtime/api/handlers.js";
import type { RoundsOptions } from "../../../../runtime/api/rounds-options.js";
import { RawClient } from "./raw-client.js";
import type { Wire } from "./round-trips.js";

/** Sends a request to the client. */
export type Ask = (method: string, params?: object, options?: object) => Promise<Wire>;

export type Tool = (context: HandlerContext, ask: Ask, params: Wire) => unknown;

export interface Served {
  readonly client: RawClient;
  readonly server: Server;
  readonly errors: Error[];
  /** Connects another client to the same server. */
  connect(): Promise<RawClient>;
}

export interface Serving {
  readonly name?: string;
  readonly rounds?: RoundsOptions;
  readonly options?: object;
  readonly handlers?: object;
}

/** Creates a server with these tools, and a client for it. */
export async function serve(
  tools: Readonly<Record<string, Tool>>,
  { name = "test", rounds, options, handlers }: Serving = {},
): Promise<Served> {
  const errors: Error[] = [];
  const info = { name, version: "1" };
  const call = (params: Wire, context: HandlerContext): unknown =>
    asResult(tools[params.name]!(context, asking(context), params));
  const all = { "tools/list": () => ({ tools: [] }), "tools/call": call, ...handlers };
  const server = new Server(info, all as object, {
    onerror: (error: Error) => void errors.push(error),
    ...(rounds && { rounds }),
    ...options,
  });
  onTestFinished(() => server.close());
  const connect = async (): Promise<RawClient> => {
    const client = new RawClient();
    await server.fork().connect(client);
    return client;
  };
  return { client: await connect(), server, errors, connect };
}

export function asking({ request }: HandlerContext): Ask {
  return request as unknown as Ask;
}

/** Turns strings into results. If a handler returns no promise, neither does this function. */
function asResult(result: unknown): unknown {
  if (result instanceof Promise) return result.then(asResult);
  return typeof result === "string" ? { content: [{ type: "text", text: result }] } : result;
}
