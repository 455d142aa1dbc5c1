import type { Attributes, BatchObservableCallback, Observable } from "@opentelemetry/api";
import type { HandlerCounts } from "../http/server/index.js";
import { type MeterOptions, meterOf } from "./meter.js";

export interface HandlerMetricsOptions extends MeterOptions {
  /** The attributes that distinguish the handlers in one process, such as `{ "http.route": "/mcp" }`. Default: none. */
  readonly attributes?: Attributes | undefined;
}

type Figure = Exclude<keyof HandlerCounts, "refusals">;

/** The name, unit and description of each figure's instrument. */
const FIGURES: Readonly<Record<Figure, readonly [string, string, string]>> = {
  sessions: ["sessions", "{session}", "Open sessions"],
  requests: ["requests", "{request}", "Requests that await their responses"],
  requestBytes: ["requests.size", "By", "Bodies of the requests that await their responses"],
  readingBytes: ["reading.size", "By", "Bodies that are being read"],
  streams: ["streams", "{stream}", "Event streams with a connection"],
  subscriptions: ["subscriptions", "{subscription}", "Subscriptions of clients without a session"],
  keptBytes: ["kept.size", "By", "Messages that opened sessions and subscriptions"],
  queued: ["queued", "{message}", "Messages that await a stream of their session"],
  unreadBytes: ["unread.size", "By", "Output that clients are slow to read"],
};

/**
 * Observes an HTTP handler: its counts are read whenever metrics are collected, and nothing is done
 * per message.
 *
 * @param handler - any handler with `counts`, such as those of `createHttpHandler` and
 *   `createRouter`
 * @returns a function that stops the observation
 */
export function handlerMetrics(
  handler: { readonly counts: HandlerCounts },
  options: HandlerMetricsOptions = {},
): () => void {
  const meter = meterOf(options);
  const { attributes = {} } = options;
  const gauges = Object.entries(FIGURES).map(([figure, [name, unit, description]]) => {
    const gauge = meter.createObservableUpDownCounter(`mcp_codegen.http.${name}`, {
      unit,
      description,
    });
    return [figure as Figure, gauge] as const;
  });
  const refused = meter.createObservableCounter("mcp_codegen.http.refusals", {
    unit: "{request}",
    description: "Requests that were rejected before they reached a handler",
  });
  const observe: BatchObservableCallback = (result) => {
    const { counts } = handler;
    for (const [figure, gauge] of gauges) result.observe(gauge, counts[figure], attributes);
    for (const { status, reason, count } of counts.refusals) {
      result.observe(refused, count, {
        ...attributes,
        "http.response.status_code": status,
        "error.type": reason ?? String(status),
      });
    }
  };
  const observed: Observable[] = [...gauges.map(([, gauge]) => gauge), refused];
  meter.addBatchObservableCallback(observe, observed);
  return () => meter.removeBatchObservableCallback(observe, observed);
}
