import { OverloadError } from "../wire/index.js";
import { ANYONE, inBackground, type StoredTask, type TaskStore } from "./task-store.js";
import { isTerminal } from "./task.js";

export interface MemoryTaskStoreOptions {
  /** The maximum number of tasks. Default: 10,000. */
  readonly maxTasks?: number | undefined;
  /** The maximum number of tasks per owner. Default: 1000. */
  readonly maxPerOwner?: number | undefined;
  /** The maximum estimated size of all tasks and their results, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** The maximum estimated size of one owner's tasks and their results, in bytes. Default: 16 MiB. */
  readonly maxBytesPerOwner?: number | undefined;
}

interface Usage {
  count: number;
  bytes: number;
}

/** The interval at which expired tasks are removed, in milliseconds. */
const SWEEP_INTERVAL = 30_000;
const MIB = 1024 * 1024;
/** The minimum number of bytes that a task counts for. It ensures that there is always room for a failure message. */
const RESERVED = 1024;

/**
 * Stores tasks in this process, up to a maximum number and size. If there is no room for a task's result, the task
 * fails.
 */
export class MemoryTaskStore implements TaskStore {
  readonly #limits: Usage;
  readonly #limitsOfOwner: Usage;
  readonly #tasks = new Map<string, StoredTask>();
  readonly #bytes = new Map<string, number>();
  readonly #used: Usage = { count: 0, bytes: 0 };
  readonly #usedBy = new Map<string, Usage>();
  #isSweeping = false;

  constructor(options: MemoryTaskStoreOptions = {}) {
    const { maxTasks = 10_000, maxPerOwner = 1000 } = options;
    const { maxBytes = 64 * MIB, maxBytesPerOwner = 16 * MIB } = options;
    this.#limits = { count: maxTasks, bytes: maxBytes };
    this.#limitsOfOwner = { count: maxPerOwner, bytes: maxBytesPerOwner };
  }

  add(stored: StoredTask): void {
    const { owner, task } = stored;
    const needed = { count: 1, bytes: sizeOf(stored) };
    if (!this.#hasRoom(owner, needed)) throw new OverloadError("There is no room for another task");
    this.#tasks.set(task.taskId, stored);
    this.#bytes.set(task.taskId, needed.bytes);
    this.#use(owner, needed);
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
    if (stored.version !== before.version + 1) return false;
    const bytes = sizeOf(stored);
    const needed = { count: 0, bytes: bytes - this.#bytes.get(taskId)! };
    if (!this.#hasRoom(stored.owner, needed)) {
      throw new OverloadError("There is no room for the result of a task");
    }
    this.#tasks.set(taskId, stored);
    this.#bytes.set(taskId, bytes);
    this.#use(stored.owner, needed);
    return true;
  }

  list(owner: string): readonly StoredTask[] {
    return [...this.#tasks.values()].filter((one) => one.owner === owner && !isExpired(one));
  }

  delete(taskId: string): void {
    const stored = this.#tasks.get(taskId);
    if (stored === undefined) return;
    this.#tasks.delete(taskId);
    this.#use(stored.owner, { count: -1, bytes: -this.#bytes.get(taskId)! });
    this.#bytes.delete(taskId);
  }

  #hasRoom(owner: string, needed: Usage): boolean {
    if (this.#fits(owner, needed)) return true;
    this.#sweep();
    return this.#fits(owner, needed);
  }

  #fits(owner: string, needed: Usage): boolean {
    if (!fits(this.#used, needed, this.#limits)) return false;
    // Tasks that any client may access do not count towards an owner's limits.
    if (owner === ANYONE) return true;
    const usedByOwner = this.#usedBy.get(owner) ?? { count: 0, bytes: 0 };
    return fits(usedByOwner, needed, this.#limitsOfOwner);
  }

  #use(owner: string, { count, bytes }: Usage): void {
    const usedByOwner = this.#usedBy.get(owner) ?? { count: 0, bytes: 0 };
    for (const used of [this.#used, usedByOwner]) {
      used.count += count;
      used.bytes += bytes;
    }
    if (usedByOwner.count > 0) this.#usedBy.set(owner, usedByOwner);
    else this.#usedBy.delete(owner);
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

/** True if usage stays within the limits. An update that does not increase it is always accepted. */
function fits(used: Usage, needed: Usage, limits: Usage): boolean {
  return (
    (needed.count <= 0 || used.count + needed.count <= limits.count) &&
    (needed.bytes <= 0 || used.bytes + needed.bytes <= limits.bytes)
  );
}

/** Estimates a task's size as two bytes per UTF-16 unit of its JSON. */
function sizeOf(stored: StoredTask): number {
  return Math.max(RESERVED, 2 * JSON.stringify(stored).length);
}

function isExpired({ task: { createdAt, ttl } }: StoredTask): boolean {
  return ttl !== null && Date.parse(createdAt) + ttl <= Date.now();
}
