import { LONGEST_DELAY } from "../../ground/index.js";
import { HttpError } from "./errors.js";

/**
 * The body of a response, piece by piece. Leaving the loop early closes the connection.
 *
 * @param idleTimeout - milliseconds within which the next piece must come
 * @param signal - the one that the request was made with. Not every `fetch` ends a read when it aborts at the moment
 *   at which the body is complete (nodejs/undici#4089)
 * @throws HttpError when it does not, or the connection breaks or is aborted
 */
export async function* readChunks(
  response: Response,
  idleTimeout: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const cancel = (): void => void reader.cancel().catch(() => {});
  const watchdog = new Watchdog(idleTimeout, cancel);
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (signal?.aborted) brokenOff(signal.reason);
      if (watchdog.hasBarked) throw new HttpError(`The server sent nothing for ${idleTimeout} ms`);
      if (done) return;
      watchdog.pet();
      yield value;
    }
  } finally {
    watchdog.stop();
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
}

function brokenOff(cause: unknown): never {
  throw new HttpError("The connection broke off while the server was answering", { cause });
}

/** Notices silence with one timer, which is not touched by what breaks the silence. */
class Watchdog {
  readonly #limit: number;
  readonly #bark: () => void;
  #last = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasBarked = false;

  constructor(limit: number, bark: () => void) {
    this.#limit = limit;
    this.#bark = bark;
    if (limit <= LONGEST_DELAY) this.#timer = setTimeout(this.#look, limit);
  }

  get hasBarked(): boolean {
    return this.#hasBarked;
  }

  pet(): void {
    this.#last = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #look = (): void => {
    const left = this.#last + this.#limit - performance.now();
    if (left > 0) {
      this.#timer = setTimeout(this.#look, Math.ceil(left));
    } else {
      this.#hasBarked = true;
      this.#bark();
    }
  };
}
