import type { ListChangedHandlers, ListChangedOptions } from "../shared/index.js";
import type { ListName } from "../shared/internal/index.js";

const DEBOUNCE = 300;

export type FetchList = (list: ListName) => Promise<unknown[]>;

/**
 * Handles list-change notifications: it waits briefly for further ones, then fetches the list once and passes it to the
 * callback.
 */
export class ListRefresh {
  readonly #timers = new Map<ListName, ReturnType<typeof setTimeout>>();
  readonly #handlers: ListChangedHandlers;
  readonly #fetch: FetchList;

  constructor(handlers: ListChangedHandlers, fetch: FetchList) {
    this.#handlers = handlers;
    this.#fetch = fetch;
  }

  get lists(): ListName[] {
    return Object.keys(this.#handlers) as ListName[];
  }

  changed(list: ListName): void {
    const options = this.#handlers[list] as ListChangedOptions<unknown> | undefined;
    if (options === undefined) return;
    const { debounceMs = DEBOUNCE } = options;
    clearTimeout(this.#timers.get(list));
    if (debounceMs === 0) return void this.#notify(list, options);
    const timer = setTimeout(() => void this.#notify(list, options), debounceMs);
    this.#timers.set(list, timer);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #notify(list: ListName, options: ListChangedOptions<unknown>): Promise<void> {
    const { autoRefresh = true, onChanged } = options;
    if (!autoRefresh) return onChanged(null, null);
    try {
      onChanged(null, await this.#fetch(list));
    } catch (error) {
      onChanged(error instanceof Error ? error : new Error(String(error)), null);
    }
  }
}
