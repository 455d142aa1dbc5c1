import { HttpClientTransport } from "../../http-client/index.js";
import type { Transport } from "../../transport/transport.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { StdioTarget } from "./stdio-target.js";

/** Where a server is, and how to get there. */
export interface Place {
  /** Names the server among all; undefined when nothing is known of it. */
  readonly name: string | undefined;
  /** Whether there can be another connection after the first. */
  readonly canRepeat: boolean;
  /** @param onrestart - called when the server has ended a session and another one was opened */
  connection(onrestart: () => void): Transport | Promise<Transport>;
}

/** @throws TypeError for what is no target */
export function placeOf(target: Target, options: ConnectOptions): Place {
  if (typeof target === "string" || target instanceof URL) return atUrl(new URL(target), options);
  if (typeof target === "function") {
    return { name: undefined, canRepeat: true, connection: target };
  }
  if ("command" in target) return atCommand({ ...options.stdio, ...target });
  if (!("start" in target)) throw new TypeError("A target is a URL, a command or a transport");
  return { name: undefined, canRepeat: false, connection: () => target };
}

/** Whether each request is answered in its own time, so that silence tells nothing of the server. */
export function isHttp(transport: Transport): boolean {
  return transport instanceof HttpClientTransport;
}

function atUrl(url: URL, { headers, http = {} }: ConnectOptions): Place {
  return {
    name: `${url.origin}${url.pathname}`,
    canRepeat: true,
    connection: (onrestart) =>
      new HttpClientTransport(url, {
        ...(headers === undefined ? {} : { headers }),
        ...http,
        onrestart: () => {
          onrestart();
          http.onrestart?.();
        },
      }),
  };
}

/** Loaded when it is needed: there are places without processes. */
function atCommand(options: StdioTarget): Place {
  const { command, args = [], cwd = "" } = options;
  return {
    name: JSON.stringify([command, args, cwd]),
    canRepeat: true,
    connection: async () => {
      const { StdioClientTransport } = await import("../../stdio-client/index.js");
      return new StdioClientTransport(options);
    },
  };
}
