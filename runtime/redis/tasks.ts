import { OverloadError } from "@mcp-codegen/runtime";
import type { StoredTask, TaskStore } from "@mcp-codegen/runtime/tasks";
import { type Engine, part } from "./engine.js";
import type { Script } from "./script.js";
import { ADD, DELETE, LIST, UPDATE } from "./task-scripts.js";

export interface RedisTasksOptions {
  /** Milliseconds for which a task is kept that has no time to live, from its last change. Default: 30 days. */
  readonly unlimitedTtl?: number | undefined;
  /** Tasks that are kept at once. Default: 10 000. */
  readonly maxTasks?: number | undefined;
  /** Maximum number of tasks of one owner. Default: 1000. */
  readonly maxPerOwner?: number | undefined;
  /** Maximum size of all tasks with their results, estimated, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Maximum size of the tasks of one owner, in bytes. Default: 16 MiB. */
  readonly maxBytesPerOwner?: number | undefined;
}

const MIB = 1024 * 1024;
const DAY = 86_400_000;
/** Longest time for which a task is kept, in milliseconds. */
const LONGEST = 3650 * DAY;
/** Bytes that every task counts for, so that there always is room for saying that it failed. */
const RESERVED = 1024;

/** Tasks in Redis, within bounds. */
export class RedisTasks implements TaskStore {
  readonly isShared = true;
  readonly #engine: Engine;
  readonly #unlimitedTtl: number;
  readonly #limits: readonly number[];

  constructor(engine: Engine, options: RedisTasksOptions = {}) {
    const { unlimitedTtl = 30 * DAY, maxTasks = 10_000, maxPerOwner = 1000 } = options;
    const { maxBytes = 64 * MIB, maxBytesPerOwner = 16 * MIB } = options;
    this.#engine = engine;
    this.#unlimitedTtl = unlimitedTtl;
    this.#limits = [maxTasks, maxBytes, maxPerOwner, maxBytesPerOwner];
  }

  async add(stored: StoredTask): Promise<void> {
    const { task, owner, version } = stored;
    const json = JSON.stringify(stored);
    const ttl = Math.min(Math.max(task.ttl ?? this.#unlimitedTtl, 1), LONGEST);
    const args = [task.taskId, part(owner), sizeOf(json), Math.ceil(ttl), json, version];
    if ((await this.#run(ADD, task.taskId, [...args, ...this.#limits])) !== 1)
      throw new OverloadError("There is no room for one more task");
  }

  async get(taskId: string): Promise<StoredTask | undefined> {
    const json = await this.#engine.command("HGET", this.#key(`t:${taskId}`), "j");
    return json === null ? undefined : (JSON.parse(json as string) as StoredTask);
  }

  async update(stored: StoredTask): Promise<boolean> {
    const { task, version } = stored;
    const json = JSON.stringify(stored);
    const ttl = task.ttl === null ? this.#unlimitedTtl : -1;
    const isOver = ENDED.has(task.status) ? 1 : 0;
    const args = [task.taskId, sizeOf(json), ttl, json, version, isOver];
    const reply = await this.#run(UPDATE, task.taskId, [...args, ...this.#limits]);
    if (reply === -1) throw new OverloadError("There is no room for the result of a task");
    return reply === 1;
  }

  async list(owner: string): Promise<readonly StoredTask[]> {
    const ids = (await this.#engine.run(LIST, [this.#key("order")], [part(owner)])) as string[];
    const tasks = await Promise.all(ids.map((id) => this.get(id)));
    return tasks.filter((one) => one !== undefined);
  }

  async delete(taskId: string): Promise<void> {
    await this.#run(DELETE, taskId, [taskId]);
  }

  #run(script: Script, taskId: string, args: readonly (string | number)[]): Promise<unknown> {
    const names = [`t:${taskId}`, "expiring", "size", "order", "used"];
    return this.#engine.run(
      script,
      names.map((name) => this.#key(name)),
      args,
    );
  }

  #key(name: string): string {
    return this.#engine.key("tasks", name);
  }
}

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** Two bytes per UTF-16 unit. */
function sizeOf(json: string): number {
  return Math.max(RESERVED, 2 * json.length);
}
