import type {
  Attributes,
  BatchObservableCallback,
  Meter,
  MeterProvider,
  MetricOptions,
  Observable,
} from "@opentelemetry/api";

/** One measurement. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly attributes: Attributes;
}

/** Records measurements; an SDK would also add them up. */
export class Meters {
  readonly all: Measurement[] = [];
  readonly options = new Map<string, MetricOptions>();
  readonly #callbacks = new Map<BatchObservableCallback, readonly Observable[]>();

  /** Implements only what the package uses; anything else would throw. */
  readonly provider: MeterProvider = { getMeter: () => this.#meter };

  named(name: string): Measurement[] {
    return this.all.filter((one) => one.name === name);
  }

  /** Returns the current values of the observable instruments. */
  collect(): Measurement[] {
    const found: Measurement[] = [];
    for (const [callback, observables] of this.#callbacks) {
      const observe = (metric: Observable, value: number, attributes: Attributes = {}): void => {
        if (!observables.includes(metric)) throw new Error("It was not announced");
        found.push({ name: nameOf(metric), value, attributes });
      };
      void callback({ observe } as never);
    }
    return found;
  }

  get #meter(): Meter {
    const observable = (name: string, options: MetricOptions = {}): Observable => {
      this.options.set(name, options);
      return { name } as never;
    };
    return {
      createHistogram: (name: string, options: MetricOptions = {}) => {
        this.options.set(name, options);
        return {
          record: (value: number, attributes: Attributes = {}) =>
            void this.all.push({ name, value, attributes }),
        };
      },
      createObservableUpDownCounter: observable,
      createObservableCounter: observable,
      addBatchObservableCallback: (
        callback: BatchObservableCallback,
        observables: readonly Observable[],
      ) => void this.#callbacks.set(callback, observables),
      removeBatchObservableCallback: (callback: BatchObservableCallback) =>
        void this.#callbacks.delete(callback),
    } as unknown as Meter;
  }
}

function nameOf(metric: Observable): string {
  return (metric as unknown as { name: string }).name;
}
