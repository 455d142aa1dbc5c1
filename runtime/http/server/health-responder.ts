import { reporter } from "../../engine/index.js";
import type { HttpEndpoint } from "./handler.js";
import { failedChecks, type HandlerState } from "./handler-state.js";
import type { HealthHandlerOptions } from "./option-types.js";
import { type Exchange, JSON_FIELDS } from "./requests/exchange.js";
import { problem } from "./requests/problem.js";

const WRONG_METHOD = /* @__PURE__ */ problem(405, "Only GET and HEAD are served here", {
  Allow: "GET, HEAD",
});

export function healthResponder(
  subject: HttpEndpoint,
  { checks = {}, stores = true, timeout = 1000, maxAge = 1000, onerror }: HealthHandlerOptions,
): (exchange: Exchange) => Promise<void> {
  const report = reporter(onerror);
  let last: { readonly isReady: Promise<boolean>; readonly since: number } | undefined;
  let known: ReadonlySet<string> = new Set();
  const stateNow = (): HandlerState => subject.state ?? "open";

  const check = async (): Promise<boolean> => {
    const [own, more] = await Promise.all([
      stores ? subject.health?.(timeout) : undefined,
      failedChecks(checks, timeout),
    ]);
    const away = { ...own?.away, ...more };
    for (const [name, cause] of Object.entries(away)) {
      if (known.has(name)) continue;
      report(new Error(`Not ready: the check ${name} failed: ${cause.message}`, { cause }));
    }
    known = new Set(Object.keys(away));
    return known.size === 0;
  };
  const checked = (): Promise<boolean> => {
    const now = performance.now();
    if (last === undefined || now - last.since >= maxAge) last = { isReady: check(), since: now };
    return last.isReady;
  };

  return async (exchange) => {
    const { method, query } = exchange.head;
    if (stateNow() !== "open") exchange.endConnection();
    if (method !== "GET" && method !== "HEAD") return exchange.refuse(WRONG_METHOD);
    const isLive = new URLSearchParams(query).has("live");
    const isReady = stateNow() === "open" && (isLive || (await checked()));
    const state = stateNow();
    const isGood = isLive || (isReady && state === "open");
    const text = JSON.stringify({ state, ready: isReady && state === "open" });
    const fields = {
      ...JSON_FIELDS,
      "Cache-Control": "no-store",
      ...(!isGood && { "Retry-After": "5" }),
      ...(method === "HEAD" && { "Content-Length": `${text.length}` }),
    };
    exchange.respond(isGood ? 200 : 503, fields, method === "HEAD" ? undefined : text);
  };
}
