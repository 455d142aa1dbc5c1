import { LONGEST_DELAY } from "./deadlines.js";

/** True for a promise, and for any other value that `await` treats as one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/** Continues with a value: at once, or when its promise has resolved. */
export function whenDone<Value, Next>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Next,
): Next | Promise<Next> {
  return isThenable(value)
    ? (Promise.resolve(value).then(next as (value: unknown) => Next) as Promise<Next>)
    : next(value as Value);
}

/** Uses a module: at once, or when it has been loaded. */
export type OnDemand<Module> = <Result>(
  use: (module: Module) => Result,
) => Result | Promise<Awaited<Result>>;

/**
 * Code that loads when it is first used. Uses that come while it loads follow in their order; later ones are synchronous.
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
 * Marks a rejection as handled, so that it does not end the process; a caller that awaits the promise still receives
 * it.
 */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Settles as a promise does; if that takes longer, it resolves with another value. */
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

/** True if a promise resolves in time. */
export function isWithin(milliseconds: number, promise: PromiseLike<unknown>): Promise<boolean> {
  const done = promise.then(() => true);
  return within(milliseconds, done, false);
}

/**
 * Waits for a number of milliseconds.
 * @throws the signal's reason if it aborts
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_DELAY));
  });
  return signal ? abortable(elapsed, signal).finally(() => clearTimeout(timer)) : elapsed;
}

/**
 * Settles as a promise does.
 * @throws the signal's reason if that aborts first
 */
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
