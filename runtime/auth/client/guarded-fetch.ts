import { OAuthError, type OAuthStage, place, quoted } from "./errors.js";
import type { OAuthOptions } from "./options.js";
import { isLoopback } from "../addresses.js";
import { isPrivateHost, resolvesToPrivate } from "./private-networks.js";

type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

const LARGEST = 1024 * 1024;
const LONGEST_TIME = 30_000;
const MOST_REDIRECTS = 3;

/**
 * Fetches URLs named by other parties, with limits on size, time and reachable addresses (MCP: security best practices,
 * SSRF).
 */
export class GuardedFetch {
  readonly #fetch: Fetch;
  readonly #server: URL;
  readonly #isPrivateAllowed: boolean;
  readonly #hasOwnNetwork: boolean;
  readonly #isHttpAllowed: boolean;

  /** @param reach - if it has a `fetch`, names are not resolved here, because that function may use another network */
  constructor(server: URL, reach: Pick<OAuthOptions, "fetch" | "privateNetworks" | "allowHttp">) {
    const { fetch: ownFetch, privateNetworks = false, allowHttp = false } = reach;
    this.#server = server;
    this.#fetch = ownFetch ?? ((url, init) => fetch(url, init));
    this.#hasOwnNetwork = ownFetch !== undefined;
    this.#isPrivateAllowed = privateNetworks || isPrivateHost(server);
    this.#isHttpAllowed = allowHttp;
  }

  async check(target: string | URL | undefined, stage: OAuthStage, role: string): Promise<URL> {
    const url = parsed(target, stage, role);
    const refuse = (expected: string): OAuthError =>
      new OAuthError(
        stage,
        `The ${role} is ${quoted(url.protocol === "https:" || url.protocol === "http:" ? place(url) : url.protocol)}`,
        { expected },
      );
    if (url.username !== "" || url.password !== "") throw refuse("a URL without a user");
    const isOwn = url.origin === this.#server.origin;
    const isSafe =
      url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
    if (isOwn && !isSafe && !this.#isHttpAllowed) {
      throw refuse(`https:, http: on this machine, or the option "allowHttp"`);
    }
    if (isOwn) return url;
    if (!isSafe) throw refuse("https:, or http: on this machine");
    if (this.#isPrivateAllowed) return url;
    const isPrivate =
      isPrivateHost(url) || (!this.#hasOwnNetwork && (await resolvesToPrivate(url)));
    if (isPrivate) throw refuse(`a public address, or the option "privateNetworks"`);
    return url;
  }

  /** Fetches a JSON document. Throws on a 5xx status, because that does not mean that the document is missing. */
  async document(
    target: string | URL,
    role: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    let url = await this.check(target, "discovery", role);
    for (let redirects = 0; ; redirects += 1) {
      const init = { headers: { ...headers, accept: "application/json" } };
      const response = await this.#bounded(url, init, "discovery");
      const { status } = response;
      const location = response.headers.get("location");
      if (status >= 300 && status <= 399 && location !== null && redirects < MOST_REDIRECTS) {
        url = await this.check(new URL(location, url), "discovery", `${role}, after a redirect,`);
        continue;
      }
      if (status === 200) return parse(await response.text());
      if (status >= 500) {
        const text = `${place(url)} responded with status ${status}`;
        throw new OAuthError("discovery", text, { serverStatus: status });
      }
      return undefined;
    }
  }

  /** Sends a GET request without a token to the MCP server. The response body is not read. */
  async head(signal: AbortSignal | undefined): Promise<Response> {
    const headers = { accept: "text/event-stream" };
    const init = { headers, ...(signal && { signal }) };
    const response = await this.#sent(this.#server, init, "discovery");
    response.body?.cancel().catch(() => {});
    return response;
  }

  /** Returns a `fetch` for the OAuth library. It rejects redirects, because the requests contain credentials. */
  requests(stage: OAuthStage, role: string, signal: AbortSignal) {
    return async (target: string, init: RequestInit): Promise<Response> => {
      const url = await this.check(target, stage, role);
      const response = await this.#bounded(url, { ...init, signal }, stage);
      if (response.status >= 300 && response.status <= 399) {
        const text = `The ${role} ${place(url)} responded with a redirect`;
        throw new OAuthError(stage, text, { serverStatus: response.status });
      }
      return response;
    };
  }

  #bounded(url: URL, init: RequestInit, stage: OAuthStage): Promise<Response> {
    return this.#sent(url, init, stage, async (response) => {
      const text = await textOf(response, url, stage);
      const { status, headers } = response;
      const hasBody = status >= 200 && status !== 204 && status !== 304;
      return new Response(hasBody ? text : null, { status, headers });
    });
  }

  async #sent(
    url: URL,
    init: RequestInit,
    stage: OAuthStage,
    read = (response: Response): Response | Promise<Response> => response,
  ): Promise<Response> {
    const late = AbortSignal.timeout(LONGEST_TIME);
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
    try {
      const response = await this.#fetch(url, { ...init, redirect: "manual", signal });
      if (response.type === "opaqueredirect") {
        throw new OAuthError(
          stage,
          `${place(url)} responded with a redirect that cannot be followed here`,
        );
      }
      return await read(response);
    } catch (cause) {
      if (cause instanceof OAuthError) throw cause;
      init.signal?.throwIfAborted();
      const reason = late.aborted ? `none within ${LONGEST_TIME} ms` : reasonOf(cause);
      throw new OAuthError(stage, `${place(url)} did not respond: ${reason}`);
    }
  }
}

function parsed(target: string | URL | undefined, stage: OAuthStage, role: string): URL {
  try {
    return new URL(target!);
  } catch {
    const what = target === undefined ? "missing" : quoted(target);
    throw new OAuthError(stage, `The ${role} is ${what}`, { expected: "a URL" });
  }
}

async function textOf(response: Response, url: URL, stage: OAuthStage): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > LARGEST) {
      reader.cancel().catch(() => {});
      throw new OAuthError(stage, `The response of ${place(url)} is longer than ${LARGEST} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the message of the underlying cause, because the error from `fetch` says only that it failed. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? cause.message : String(message);
}
