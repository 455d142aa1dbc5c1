import { LONGEST_DELAY } from "./deadlines.js";

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/** Calls a function with a value: synchronously, unless the value is a promise. */
export function whenDone<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Next,
): Next | Promise<Next> {
  return isThenable(value)
    ? (Promise.resolve(value).then(next as (value: unknown) => Next) as Promise<Next>)
    : next(value as Value);
}

export type OnDemand<Module> = <Result>(
  use: (module: Module) => Result,
) => Result | Promise<Awaited<Result>>;

/**
 * Returns a function that passes a module to its callback, and loads the module when it is first called. Callbacks
 * passed while the module is being loaded run in order; later ones run synchronously. If loading fails, the next call
 * tries again.
 */
export function onDemand<Module>(load: () => Promise<Module>): OnDemand<Module> {
  let loaded: Module | undefined;
  let loading: Promise<Module> | undefined;
  const begin = (): Promise<Module> => {
    const promise = load();
    promise.then(
      (module) => (loaded = module),
      () => (loading = undefined),
    );
    return promise;
  };
  return <Result>(use: (module: Module) => Result) =>
    loaded === undefined
      ? ((loading ??= begin()).then(use) as Promise<Awaited<Result>>)
      : use(loaded);
}

/**
 * Marks a rejection as handled, so that it does not end the process. Code that awaits the promise still receives the
 * error.
 */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/**
 * Settles as the promise does, or resolves with `late` once the time has passed. A time longer than the longest
 * `setTimeout` delay is treated as unlimited.
 */
export async function within<Value, Late = undefined>(
  milliseconds: number,
  promise: PromiseLike<Value>,
  late?: Late,
): Promise<Value | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<Late>((resolve) => {
    if (milliseconds <= LONGEST_DELAY)
      timer = setTimeout(() => resolve(late as Late), milliseconds);
  });
  try {
    return await Promise.race([promise, waited]);
  } finally {
    clearTimeout(timer);
  }
}

export function isWithin(milliseconds: number, promise: PromiseLike<unknown>): Promise<boolean> {
  const done = promise.then(() => true);
  return within(milliseconds, done, false);
}

export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_DELAY));
  });
  return signal ? abortable(elapsed, signal).finally(() => clearTimeout(timer)) : elapsed;
}

/** Settles as the promise does, unless the signal is aborted first; in that case, rejects with the signal's reason. */
export async function abortable<Value>(
  promise: PromiseLike<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  let stop!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
