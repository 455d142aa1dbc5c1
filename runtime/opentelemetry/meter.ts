import { type Histogram, type Meter, type MeterProvider, metrics } from "@opentelemetry/api";

export const SCOPE = "@mcp-codegen/runtime/opentelemetry";

/**
 * The upper bounds of histogram buckets for a peer's operations, in seconds (OpenTelemetry: semantic conventions for
 * MCP).
 */
export const OPERATION_BOUNDS: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];

/** The upper bounds of histogram buckets for a store's operations, in seconds. */
export const STORE_BOUNDS: readonly number[] = [
  0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5,
];

export interface MeterOptions {
  /**
   * The provider of instruments. Default: the one that the application registers, which it must do before the first
   * message.
   */
  readonly meterProvider?: MeterProvider | undefined;
}

export function meterOf({ meterProvider }: MeterOptions): Meter {
  return (meterProvider ?? metrics).getMeter(SCOPE);
}

/** Returns a histogram of durations in seconds, creating it on first use. */
export type Durations = (name: string, description: string) => Histogram;

export function durationsOf(options: MeterOptions, bounds: readonly number[]): Durations {
  const histograms = new Map<string, Histogram>();
  return (name, description) => {
    const known = histograms.get(name);
    if (known) return known;
    const advice = { explicitBucketBoundaries: [...bounds] };
    const created = meterOf(options).createHistogram(name, { unit: "s", description, advice });
    histograms.set(name, created);
    return created;
  };
}

export function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
