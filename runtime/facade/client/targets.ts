import { type FramingOptions, type Transport, quote } from "../../wire/index.js";
import type { ConnectOptions, Target } from "./client-options.js";

/**
 * Schedule for restarting a server that has ended. Times are in milliseconds; each failure doubles
 * the wait.
 */
export interface Restart {
  /** Maximum number of consecutive restarts of a server that keeps ending. Default: 5. */
  readonly retries?: number | undefined;
  /** Wait before the second consecutive restart; the first one is immediate. Default: 500. */
  readonly initialDelay?: number | undefined;
  /** Default: 10 000. */
  readonly maxDelay?: number | undefined;
}

/** Server program, and how to start it: options of `StdioClientTransport`, without Node's types. */
export interface StdioTarget extends FramingOptions {
  /**
   * Program, started without a shell. On Windows it may also be a script such as `npx`, which has
   * another extension there.
   */
  readonly command: string;
  readonly args?: readonly string[];
  /** Working directory. Default: that of this process. */
  readonly cwd?: string;
  /** Variables in addition to those that every process needs. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Destination of the server's standard error. Its last lines are kept for error messages;
   * everything goes to this process's standard error (`forward`), nowhere (`keep`), or to a
   * function. `ignore` discards it all. Default: `forward`.
   */
  readonly stderr?: "keep" | "forward" | "ignore" | ((text: string) => void);
  /** Time before each harsher step of closing, in milliseconds. Default: 2000. */
  readonly closeGrace?: number;
  /**
   * Restarts of a process that has ended unexpectedly: when the next message is sent, or at once if
   * there are listeners. Requests in progress reject with its `ServerExitError`. False: the
   * connection ends with the process. Default: at most 5 in a row.
   */
  readonly restart?: boolean | Restart;
  /**
   * Maximum number of bytes that may wait for a server that does not read; then the connection
   * fails. Default: 64 MiB.
   */
  readonly maxWaitingBytes?: number;
}

/** Server to connect to, and the transport to it. */
export interface ServerLocation {
  /** Identifies the server; undefined if nothing is known about it. */
  readonly name: string | undefined;
  /** True if a second connection to it is possible. */
  readonly canRepeat: boolean;
  /** Schedule for restarting it; absent if it is not restarted. */
  readonly restart?: Restart | undefined;
  connection(hooks: ConnectionHooks): Transport | Promise<Transport>;
}

/** Observers of a connection while it lasts. */
export interface ConnectionHooks {
  /** Called when the server has ended a session, and another one was opened. */
  readonly onrestart: (opened: Readonly<Record<string, unknown>>) => void | Promise<void>;
  /** Called when change notifications may have been missed. */
  readonly ongap: () => void;
}

/**
 * True if each request has its own exchange, so that silence does not show the kind of the server.
 */
export function isHttp(transport: Transport): boolean {
  return transport.hooks?.stateless !== undefined;
}

/**
 * Location of a target.
 * @throws TypeError if the target is neither a URL nor a command, a transport or a function
 */
export function locationOf(target: Target, options: ConnectOptions): ServerLocation {
  if (typeof target === "string" && !URL.canParse(target)) {
    throw new TypeError(`${quote(target)} is not a URL; for a program, pass { command, args }`);
  }
  if (typeof target === "string" || target instanceof URL) return atUrl(new URL(target), options);
  if (typeof target === "function") {
    return { name: undefined, canRepeat: true, connection: target };
  }
  if (typeof target !== "object" || target === null) throw noTarget();
  if ("command" in target) return atCommand({ ...options.stdio, ...target });
  if (!("start" in target)) throw noTarget();
  return { name: undefined, canRepeat: false, connection: () => target };
}

function noTarget(): TypeError {
  return new TypeError(
    "The target must be a URL, a command, a transport, or a function that returns a transport",
  );
}

/** Loads HTTP when it is needed: clients of processes do without. */
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
          http.ongap?.();
        },
      });
    },
  };
}

/** Loaded when it is needed: there are places without processes. */
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
