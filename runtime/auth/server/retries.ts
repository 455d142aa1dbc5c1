/** Milliseconds for which a failure is repeated before the work is done again. */
const PAUSE = 5000;

/**
 * Does work once, for all callers. A failure is kept for five seconds, so that a flood of tokens does not become a flood of
 * requests to an authorization server that is down.
 *
 * @param lifetime - milliseconds after which the work is done again
 */
export function sharedWork<Value>(
  work: () => Promise<Value>,
  lifetime: number = Infinity,
): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  let renewAt = 0;
  return () => {
    if (current !== undefined && Date.now() < renewAt) return current;
    renewAt = Date.now() + lifetime;
    current = work();
    current.catch(() => {
      renewAt = Date.now() + PAUSE;
    });
    return current;
  };
}

/**
 * `fetch` that repeats a failure for five seconds: a network error, or a status that is one.
 * @param isFailure - default: every status that is not 2xx
 */
export function pausingFetch(
  isFailure: (status: number) => boolean = (status) => status < 200 || status > 299,
): typeof fetch {
  let failure: Error | undefined;
  let retryAt = 0;
  const fail = (error: Error): never => {
    failure = error;
    retryAt = Date.now() + PAUSE;
    throw error;
  };
  return async (url, init) => {
    if (failure !== undefined && Date.now() < retryAt) throw failure;
    const response = await fetch(url, init).catch(fail);
    if (isFailure(response.status)) {
      await response.body?.cancel();
      return fail(new Error(`${String(url)} responded with status ${response.status}`));
    }
    failure = undefined;
    return response;
  };
}
