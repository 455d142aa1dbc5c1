import {
  ConnectionClosedError,
  InvalidMessageError,
  RpcError,
  type Transport,
  quote,
} from "../../wire/index.js";
import { UnsupportedRevisionError } from "../../wire/client-errors/index.js";
import { type Evidence, isHttpEvidence } from "../../negotiation/index.js";
import type { ConnectOptions as Steps } from "../../api/index.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { Era, EraCache } from "./eras.js";
import type { Restart, StdioTarget } from "./targets.js";

/** The client that a connection is opened for. It can be connected again after a failure. */
export interface ConnectionClient {
  connect(transport: Transport, options: Steps): Promise<void>;
  era(): Era | undefined;
  evidence(): Evidence;
  close(): Promise<void>;
  /** Returns true if the error is a refusal of the handshake that the preceding probe may have caused. */
  mayBeOfProbe(error: unknown): boolean;
}

/**
 * Connects to a server of either kind (MCP: versioning, compatibility): directly if its kind is known, otherwise after
 * a probe. Connects a second time, with a handshake, if the probe has ended the connection or has used up the
 * transport's only session. Connects a second time, without a handshake, if a stateless server was slow to start and
 * insists on the session that it has meanwhile opened. A kind that was inferred from silence is not cached.
 */
export async function openConnection(
  client: ConnectionClient,
  location: ServerLocation,
  eras: EraCache | undefined,
  steps: Steps,
  hooks: ConnectionHooks,
): Promise<void> {
  const { name, canRepeat } = location;
  let known = name === undefined ? undefined : await eras?.get(name);
  const remember = async (era: Era | undefined): Promise<void> => {
    if (name !== undefined && known !== era) await eras?.set(name, era);
    known = era;
  };
  let isOverHttp = false;
  const connect = async (given?: number): Promise<void> => {
    const transport = await location.connection(hooks);
    isOverHttp = isHttp(transport);
    const probeTimeout = given ?? (isOverHttp ? Infinity : undefined);
    await client.connect(transport, { ...steps, probeTimeout });
  };
  if (known === "session") {
    try {
      return await connect(0);
    } catch (error) {
      if (!canRepeat || !contradicts(error)) throw error;
      await remember(undefined);
    }
  }
  try {
    await connect(steps.probeTimeout);
  } catch (error) {
    const isOfProbe = error instanceof ConnectionClosedError || client.mayBeOfProbe(error);
    if (!canRepeat || isOverHttp || !isOfProbe) throw error;
    await connect(0);
    return remember(client.era());
  }
  if (client.evidence() === "locked" && canRepeat) {
    await client.close();
    await connect(Infinity);
  }
  if (client.evidence() === "answer") await remember(client.era());
}

/** True if a handshake may have failed because the server no longer supports it. */
function contradicts(error: unknown): boolean {
  if (error instanceof RpcError || error instanceof InvalidMessageError) return true;
  if (error instanceof UnsupportedRevisionError || error instanceof ConnectionClosedError)
    return true;
  return isHttpEvidence(error);
}

export interface ServerLocation {
  /** The name under which the server's era is cached; undefined if the server cannot be identified. */
  readonly name: string | undefined;
  readonly canRepeat: boolean;
  readonly restart?: Restart | undefined;
  connection(hooks: ConnectionHooks): Transport | Promise<Transport>;
}

export interface ConnectionHooks {
  /** Called when the server has ended a session and a new one has been opened. */
  readonly onrestart: (opened: Readonly<Record<string, unknown>>) => void | Promise<void>;
  readonly ongap: () => void;
}

/**
 * Returns true if each request on the transport has its own exchange, as over HTTP. On such a transport, an unanswered
 * probe does not show that the server only supports sessions.
 */
export function isHttp(transport: Transport): boolean {
  return transport.hooks?.stateless !== undefined;
}

export function locationOf(target: Target, options: ConnectOptions): ServerLocation {
  if (typeof target === "string" && !URL.canParse(target)) {
    throw new TypeError(`${quote(target)} is not a URL; for a program, pass { command, args }`);
  }
  if (typeof target === "string" || target instanceof URL) return atUrl(new URL(target), options);
  if (typeof target === "function") {
    return { name: undefined, canRepeat: true, connection: target };
  }
  if (typeof target === "object" && target !== null) {
    if ("command" in target) return atCommand({ ...options.stdio, ...target });
    if ("start" in target) return { name: undefined, canRepeat: false, connection: () => target };
  }
  throw new TypeError(
    "The target must be a URL, a command, a transport, or a function that returns one; headers are an option, a server needs await connectInMemory(server)",
  );
}

/** Loads the HTTP transport on demand, because clients of local programs do not need it. */
function atUrl(url: URL, { headers, auth, http = {} }: ConnectOptions): ServerLocation {
  return {
    name: `${url.origin}${url.pathname}`,
    canRepeat: true,
    connection: async ({ onrestart, ongap }) => {
      const { HttpClientTransport } = await import("../../http/client/index.js");
      return new HttpClientTransport(url, {
        ...(headers === undefined ? {} : { headers }),
        ...(auth === undefined ? {} : { auth }),
        ...http,
        onrestart: async (opened) => {
          await Promise.all([onrestart(opened), http.onrestart?.(opened)]);
        },
        ongap: () => {
          ongap();
          return http.ongap?.();
        },
      });
    },
  };
}

/** Loads the stdio transport on demand, because some platforms cannot run processes. */
function atCommand(options: StdioTarget): ServerLocation {
  const { command, args = [], cwd = "", restart = true } = options;
  return {
    name: JSON.stringify([command, args, cwd]),
    canRepeat: true,
    restart: restart === true ? {} : restart || undefined,
    connection: async () => {
      const { StdioClientTransport } = await import("../../stdio/client/index.js");
      return new StdioClientTransport(options);
    },
  };
}
