/**
 * True on Bun, which sends a response's header only with the first byte of the body, and closes connections on which
 * nothing is sent for 10 seconds.
 */
export const HOLDS_SILENT_RESPONSES: boolean = /* @__PURE__ */ (() => "Bun" in globalThis)();

/**
 * True on Workers, where timers and signals belong to the request that created them. A timer ends with its request,
 * so it must not serve other requests. Another request must not abort the request's signals, but may resolve a
 * promise that the request awaits.
 */
export const REQUESTS_OWN_IO: boolean = /* @__PURE__ */ (() =>
  (globalThis as { navigator?: { userAgent?: unknown } }).navigator?.userAgent ===
  "Cloudflare-Workers")();
