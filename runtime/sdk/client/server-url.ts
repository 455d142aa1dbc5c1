import type { Transport } from "../shared/index.js";

const urls = new WeakMap<Transport, string>();

/** Notes where a transport leads. */
export function noteServer(transport: Transport, url: URL): void {
  urls.set(transport, url.href);
}

/**
 * URL of the server behind a transport; undefined where there is none. Nothing else tells servers apart in a store that they
 * share: a name is what a server says of itself.
 */
export function serverOf(transport: Transport): string | undefined {
  return urls.get(transport);
}
