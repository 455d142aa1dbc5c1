import { HandlerError, describeThrown } from "../../wire/index.js";
import type { ClientEvent, ClientEvents, ClientListener } from "./client-events.js";

/** Listeners by event. */
export class Listeners {
  readonly #report: (error: Error) => void;
  readonly #listeners = new Map<ClientEvent, Set<(...news: never) => void>>();

  constructor(report: (error: Error) => void) {
    this.#report = report;
  }

  has(event: ClientEvent): boolean {
    return this.#listeners.has(event);
  }

  add<Event extends ClientEvent>(event: Event, listener: ClientListener<Event>): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }

  delete<Event extends ClientEvent>(event: Event, listener: ClientListener<Event>): void {
    const listeners = this.#listeners.get(event);
    if (listeners?.delete(listener) && listeners.size === 0) this.#listeners.delete(event);
  }

  /** One that fails is reported, and the others still hear. */
  tell<Event extends ClientEvent>(event: Event, ...news: ClientEvents[Event]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      callListener(
        event,
        () => (listener as (...given: unknown[]) => unknown)(...news),
        this.#report,
      );
    }
  }
}

/** Calls a listener that may throw, or give a promise that rejects. */
export function callListener(
  what: string,
  call: () => unknown,
  report: (error: Error) => void,
): void {
  const failed = (error: unknown): void =>
    report(new HandlerError(what, `failed: ${describeThrown(error)}`, error));
  try {
    const result = call();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
