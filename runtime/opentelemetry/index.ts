/** Spans and trace context, with OpenTelemetry: `@mcp-codegen/runtime/opentelemetry`. */
export type { Propagator } from "./trace-context.js";
export { type Tracing, tracing, type TracingOptions } from "./tracing.js";
