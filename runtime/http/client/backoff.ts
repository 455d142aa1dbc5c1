import type { ReconnectSettings } from "./settings.js";

/** Shortest wait, in milliseconds, that a server can ask for: none must keep this client spinning. */
const SHORTEST = 100;

/** Random share of a wait, so that not all clients of a server come back at once. */
const SPREAD = 0.2;

/** Waiting times between attempts to reopen a stream. */
export class Backoff {
  readonly #settings: ReconnectSettings;
  readonly #mostFailures: number;
  /** Wait that the server asked for, in milliseconds. */
  #retry: number | undefined;
  #failures = 0;

  /** @param mostFailures - in a row */
  constructor(settings: ReconnectSettings, mostFailures: number) {
    this.#settings = settings;
    this.#mostFailures = mostFailures;
  }

  get hasRetry(): boolean {
    return this.#retry !== undefined;
  }

  get isExhausted(): boolean {
    return this.#failures > this.#mostFailures;
  }

  set retry(milliseconds: number) {
    this.#retry = Math.max(milliseconds, SHORTEST);
  }

  fail(): void {
    this.#failures += 1;
  }

  succeed(): void {
    this.#failures = 0;
  }

  /** Milliseconds; never less than the server asked for. */
  get delay(): number {
    const { initialDelay, maxDelay, factor } = this.#settings;
    if (this.#failures === 0) return this.#retry ?? initialDelay;
    const grown = Math.min(initialDelay * factor ** (this.#failures - 1), maxDelay);
    return Math.max(grown, this.#retry ?? 0) * (1 + Math.random() * SPREAD);
  }
}
