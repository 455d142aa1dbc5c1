/**
 * True on Bun, which sends the head of a response with the first byte of the body, and closes connections on which nothing
 * was sent for 10 seconds.
 */
export const HOLDS_SILENT_RESPONSES: boolean = /* @__PURE__ */ (() => "Bun" in globalThis)();

/**
 * True on Workers, where timers and signals belong to the request that created them. Its timers are gone when that request
 * is over, so they must not serve other requests. Another request must not abort its signal, but may resolve a promise that
 * it awaits.
 */
export const REQUESTS_OWN_IO: boolean = /* @__PURE__ */ (() =>
  (globalThis as { navigator?: { userAgent?: unknown } }).navigator?.userAgent ===
  "Cloudflare-Workers")();
