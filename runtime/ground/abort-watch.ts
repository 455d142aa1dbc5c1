/** Something that a signal can end. */
export interface Abortable {
  abort(reason: unknown): void;
}

/** Listens to each signal once, however many requests share it: a listener per request looks like a leak. */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, Set<Abortable>>();

  add(signal: AbortSignal, abortable: Abortable): void {
    const group = this.#watched.get(signal);
    if (group) {
      group.add(abortable);
    } else {
      this.#watched.set(signal, new Set([abortable]));
      signal.addEventListener("abort", this);
    }
  }

  delete(signal: AbortSignal, abortable: Abortable): void {
    const group = this.#watched.get(signal);
    if (!group?.delete(abortable) || group.size > 0) return;
    this.#watched.delete(signal);
    signal.removeEventListener("abort", this);
  }

  handleEvent({ target }: Event): void {
    const signal = target as AbortSignal;
    for (const abortable of this.#watched.get(signal) ?? []) abortable.abort(signal.reason);
  }
}
