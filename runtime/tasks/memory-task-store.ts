import { OverloadError } from "../errors.js";
import { inBackground } from "./in-background.js";
import { isTerminal } from "./task.js";
import type { StoredTask, TaskStore } from "./task-store.js";

export interface MemoryTaskStoreOptions {
  /** Tasks that are kept at once. Default: 10 000. */
  readonly maxTasks?: number | undefined;
  /** Of those, tasks of one owner. Default: 1000. */
  readonly maxPerOwner?: number | undefined;
}

/** How often what is over is thrown away, in milliseconds. */
const SWEEP_INTERVAL = 30_000;

/** Keeps tasks in this process. */
export class MemoryTaskStore implements TaskStore {
  readonly #maxTasks: number;
  readonly #maxPerOwner: number;
  /** In the order of their creation. */
  readonly #tasks = new Map<string, StoredTask>();
  readonly #perOwner = new Map<string, number>();
  #isSweeping = false;

  constructor({ maxTasks = 10_000, maxPerOwner = 1000 }: MemoryTaskStoreOptions = {}) {
    this.#maxTasks = maxTasks;
    this.#maxPerOwner = maxPerOwner;
  }

  add(stored: StoredTask): void {
    const { owner, task } = stored;
    if (this.#isFull(owner)) this.#sweep();
    if (this.#isFull(owner)) throw new OverloadError("There is no room for one more task");
    this.#tasks.set(task.taskId, stored);
    this.#perOwner.set(owner, this.#countOf(owner) + 1);
    this.#sweepLater();
  }

  get(taskId: string): StoredTask | undefined {
    const stored = this.#tasks.get(taskId);
    return stored && !isExpired(stored) ? stored : undefined;
  }

  update(stored: StoredTask): boolean {
    const { taskId } = stored.task;
    const before = this.get(taskId);
    if (before === undefined || isTerminal(before.task)) return false;
    this.#tasks.set(taskId, stored);
    return true;
  }

  list(owner: string): readonly StoredTask[] {
    return [...this.#tasks.values()].filter((one) => one.owner === owner && !isExpired(one));
  }

  delete(taskId: string): void {
    const stored = this.#tasks.get(taskId);
    if (stored === undefined) return;
    this.#tasks.delete(taskId);
    const left = this.#countOf(stored.owner) - 1;
    if (left > 0) this.#perOwner.set(stored.owner, left);
    else this.#perOwner.delete(stored.owner);
  }

  #isFull(owner: string): boolean {
    return this.#tasks.size >= this.#maxTasks || this.#countOf(owner) >= this.#maxPerOwner;
  }

  #countOf(owner: string): number {
    return this.#perOwner.get(owner) ?? 0;
  }

  #sweep(): void {
    for (const [taskId, stored] of this.#tasks) if (isExpired(stored)) this.delete(taskId);
  }

  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    inBackground(SWEEP_INTERVAL, () => {
      this.#isSweeping = false;
      this.#sweep();
      if (this.#tasks.size > 0) this.#sweepLater();
    });
  }
}

function isExpired({ task: { createdAt, ttl } }: StoredTask): boolean {
  return ttl !== null && Date.parse(createdAt) + ttl <= Date.now();
}
