/** Spans, trace context and metrics, with OpenTelemetry: `@mcp-codegen/runtime/opentelemetry`. */
export { handlerMetrics, type HandlerMetricsOptions } from "./handler-metrics.js";
export type { MeterOptions } from "./meter.js";
export { type Metrics, metrics, type MetricsOptions } from "./metrics.js";
export { storeMetrics } from "./store-metrics.js";
export { type Propagator, type Tracing, tracing, type TracingOptions } from "./tracing.js";
