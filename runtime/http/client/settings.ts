import type { HttpClientOptions, HttpOptions, ReconnectOptions } from "./options.js";

/** Limits of one HTTP response. */
export interface ResponseLimits {
  readonly maxMessageBytes: number;
  readonly idleTimeout: number;
}

export type ReconnectSettings = Required<ReconnectOptions>;

const MIB = 1024 * 1024;

export function responseLimits(options: HttpOptions): ResponseLimits {
  const { maxMessageBytes = 64 * MIB, idleTimeout = 300_000 } = options;
  return { maxMessageBytes, idleTimeout };
}

export function reconnectSettings({ reconnect = {} }: HttpClientOptions): ReconnectSettings {
  const { initialDelay = 1000, maxDelay = 30_000, factor = 2, retries = 5 } = reconnect;
  return { initialDelay, maxDelay, factor, retries };
}

/** @throws TypeError for a URL that no request can be made to */
export function httpUrl(given: string | URL): URL {
  const url = new URL(given);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`${url.protocol} is no protocol for this transport: use http: or https:`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`Leave user and password out of the URL: send them with option "headers"`);
  }
  url.hash = "";
  return url;
}

/** URL for messages, without the query, which may hold a secret. */
export function place({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
