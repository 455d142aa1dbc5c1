import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Authorize, authorizationCode, OAuthError, type Visit } from "../client/index.js";
import { openBrowser } from "./browser.js";

const PATH = "/callback";

const PAGE = `<!doctype html><meta charset="utf-8"><title>Authorization</title>
<p>You can close this page and go back to the application.</p>`;

export interface LoopbackOptions {
  /** The redirect URI's port. Default: the last registration's port if it is free, or else any free port. */
  readonly port?: number;
  /** The host name in the redirect URI, for servers that do not accept an address. Default: `127.0.0.1`. */
  readonly host?: "127.0.0.1" | "localhost";
  /** Opens the URL. Default: opens it in the user's browser. */
  readonly open?: (url: URL) => unknown;
  /** Shows the URL to the user, who may have to open it manually. Default: writes it to stderr. */
  readonly show?: (url: URL) => void;
}

/**
 * Opens the browser, and listens on a port of this machine until the user returns (RFC 8252, section 7.3). The port is open
 * for one authorization only, and is always closed afterwards.
 */
export function loopback(options: LoopbackOptions = {}): Authorize {
  return authorizationCode((before) => openVisit(options, before));
}

async function openVisit(options: LoopbackOptions, before: string | undefined): Promise<Visit> {
  const { host = "127.0.0.1", show = write, open = openBrowser } = options;
  const callback = new Callback(host);
  const port = await callback.listen(
    options.port ?? portOf(before, host),
    options.port !== undefined,
  );
  return {
    redirectUri: `http://${host}:${port}${PATH}`,
    go: async (url, state, signal) => {
      const back = callback.wait(state, signal);
      back.catch(() => {});
      show(url);
      // Not awaited: it may last until the user closes the browser.
      void Promise.resolve(url)
        .then(open)
        .catch(() => {});
      return back;
    },
    close: () => callback.close(),
  };
}

/**
 * Returns the port of the last registered redirect URI, so that the registration can be reused, or 0 for any free port.
 */
function portOf(before: string | undefined, host: string): number {
  if (before === undefined || !URL.canParse(before)) return 0;
  const { hostname, port, pathname } = new URL(before);
  return hostname === host && pathname === PATH ? Number(port) : 0;
}

function write(url: URL): void {
  process.stderr.write(`Log in with your browser; if it does not open, go to:\n${url.href}\n`);
}

/** An HTTP server that receives one authorization response. */
class Callback {
  readonly #addresses: readonly string[];
  #servers: Server[] = [];
  #state: string | undefined;
  #resolve: ((url: URL) => void) | undefined;

  /**
   * @param host - for `localhost`, both an IPv4 and an IPv6 address are opened, so that no other process receives the
   *   response
   */
  constructor(host: string) {
    this.#addresses = host === "localhost" ? ["127.0.0.1", "::1"] : ["127.0.0.1"];
  }

  async listen(port: number, isFixed: boolean): Promise<number> {
    try {
      return await this.#listen(port);
    } catch (cause) {
      if (port !== 0 && !isFixed) return this.#listen(0);
      const text = `Port ${port} cannot be opened: ${(cause as Error).message}`;
      throw new OAuthError("authorization", text, { expected: `another "port" for loopback()` });
    }
  }

  async #listen(first: number): Promise<number> {
    let port = first;
    for (const address of this.#addresses) {
      try {
        port = await this.#listenAt(address, port);
      } catch (error) {
        if (isUnsupported(error)) continue;
        this.close();
        throw error;
      }
    }
    return port;
  }

  #listenAt(address: string, port: number): Promise<number> {
    const server = createServer((request, response) => this.#answer(request, response));
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, address, () => {
        this.#servers.push(server);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  wait(state: string, signal: AbortSignal): Promise<URL> {
    this.#state = state;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      this.#resolve = resolve;
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  }

  close(): void {
    const servers = this.#servers;
    this.#servers = [];
    for (const server of servers) {
      server.close();
      server.closeIdleConnections();
      // The connections are closed a second later, because the browser may not have received the
      // page yet.
      setTimeout(() => server.closeAllConnections(), 1000).unref();
    }
  }

  /**
   * Handles a request to the redirect URI. Only a request with the right state ends the wait, because any program on
   * this machine can send one.
   */
  #answer({ method, url = "/", headers }: IncomingMessage, response: ServerResponse): void {
    response.setHeader("connection", "close");
    response.setHeader("referrer-policy", "no-referrer");
    response.setHeader("cache-control", "no-store");
    response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    const back = URL.canParse(url, "http://127.0.0.1")
      ? new URL(url, "http://127.0.0.1")
      : undefined;
    const isLocal = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? "");
    if (!isLocal || method !== "GET" || back?.pathname !== PATH) {
      response.writeHead(404).end();
      return;
    }
    if (this.#state === undefined || back.searchParams.get("state") !== this.#state) {
      response
        .writeHead(400, { "content-type": "text/plain" })
        .end("This response belongs to no request.");
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
    this.#resolve?.(back);
  }
}

/** Returns true if the machine has no such address, for example because it lacks IPv6. */
function isUnsupported(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}
