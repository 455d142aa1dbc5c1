export interface Abortable {
  abort(reason: unknown): void;
}

const watched = /* @__PURE__ */ new WeakMap<AbortSignal, Set<Abortable>>();

/**
 * Aborts work when a signal is aborted. Listens to each signal only once, however many requests share it, because
 * platforms report many listeners as a leak.
 */
export const aborts = {
  add(signal: AbortSignal, abortable: Abortable): void {
    const group = watched.get(signal);
    if (group) {
      group.add(abortable);
    } else {
      watched.set(signal, new Set([abortable]));
      signal.addEventListener("abort", aborted);
    }
  },
  delete(signal: AbortSignal, abortable: Abortable): void {
    const group = watched.get(signal);
    if (!group?.delete(abortable) || group.size > 0) return;
    watched.delete(signal);
    signal.removeEventListener("abort", aborted);
  },
};

function aborted({ target }: Event): void {
  const signal = target as AbortSignal;
  for (const abortable of watched.get(signal) ?? []) abortable.abort(signal.reason);
}
