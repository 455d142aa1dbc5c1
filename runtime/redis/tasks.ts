import { OverloadError } from "@mcp-codegen/runtime";
import type { StoredTask, TaskStore } from "@mcp-codegen/runtime/tasks";
import { type Engine, Script, part } from "./engine.js";

export interface RedisTasksOptions {
  /**
   * The time, in milliseconds, for which a task without a time to live is kept after its last change. Default: 30 days.
   */
  readonly unlimitedTtl?: number | undefined;
  /** The maximum number of tasks. Default: 10,000. */
  readonly maxTasks?: number | undefined;
  /** The maximum number of tasks per owner. Tasks without an owner count only towards `maxTasks`. Default: 1000. */
  readonly maxPerOwner?: number | undefined;
  /** The maximum estimated size of all tasks and their results, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** The maximum estimated size of one owner's tasks, in bytes. Default: 16 MiB. */
  readonly maxBytesPerOwner?: number | undefined;
}

const MIB = 1024 * 1024;
const DAY = 86_400_000;
/** The maximum time to live of a task, in milliseconds. */
const LONGEST = 3650 * DAY;
/** The minimum number of bytes counted for every task, so that there is always room to record a failure. */
const RESERVED = 1024;

/** A task store in Redis that limits the number and size of tasks. */
export class RedisTasks implements TaskStore {
  readonly isShared = true;
  readonly #engine: Engine;
  readonly #unlimitedTtl: number;
  readonly #limits: readonly number[];

  constructor(engine: Engine, options: RedisTasksOptions = {}) {
    const { unlimitedTtl = 30 * DAY, maxTasks = 10_000, maxPerOwner = 1000 } = options;
    const { maxBytes = 64 * MIB, maxBytesPerOwner = 16 * MIB } = options;
    this.#engine = engine;
    this.#unlimitedTtl = Math.min(unlimitedTtl, LONGEST);
    this.#limits = [maxTasks, maxBytes, maxPerOwner, maxBytesPerOwner];
  }

  async add(stored: StoredTask): Promise<void> {
    const { task, owner, version } = stored;
    const json = JSON.stringify(stored);
    const ttl = Math.min(Math.max(task.ttl ?? this.#unlimitedTtl, 1), LONGEST);
    const args = [task.taskId, part(owner), sizeOf(json), Math.ceil(ttl), json, version];
    if ((await this.#run(ADD, task.taskId, [...args, ...this.#limits])) !== 1)
      throw new OverloadError("There is no room for another task");
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

function sizeOf(json: string): number {
  return Math.max(RESERVED, 2 * json.length);
}

/**
 * Functions of the scripts about tasks. A task is a hash: `j` is its JSON, `v` its version; `e` exists once it has
 * finished. All tasks are in one slot, because their limits apply to all of them together:
 *
 * - `expiring`: ids by their expiry time
 * - `size`: for each id its bytes, and its entry in `order`
 * - `order`: entries of the form owner, number and id, in this order
 * - `used`: count and bytes, `n` and `b`, in total and per owner; `i` is the number of the last task
 */
const COMMON = `
local task, expiring, size, order, used = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local function ownerIn(entry) return string.match(entry, '^([^ ]*) ') end
local function use(owner, count, bytes)
  redis.call('HINCRBY', used, 'n', count)
  redis.call('HINCRBY', used, 'b', bytes)
  if owner == '' then return end
  local n = redis.call('HINCRBY', used, 'n ' .. owner, count)
  redis.call('HINCRBY', used, 'b ' .. owner, bytes)
  if n <= 0 then redis.call('HDEL', used, 'n ' .. owner, 'b ' .. owner) end
end
local function bytesAndEntry(id)
  local known = redis.call('HGET', size, id)
  if not known then return nil end
  local bytes, entry = string.match(known, '^(%d+) (.*)$')
  return tonumber(bytes), entry
end
local function forget(id)
  local bytes, entry = bytesAndEntry(id)
  if not bytes then return end
  redis.call('HDEL', size, id)
  redis.call('ZREM', expiring, id)
  redis.call('ZREM', order, entry)
  use(ownerIn(entry), -1, -bytes)
end
local function sweep()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', expiring, '-inf', now)) do forget(id) end
end
local function usedBy(name) return tonumber(redis.call('HGET', used, name) or 0) end
local function fits(owner, count, bytes, limits)
  local function within(suffix, most, mostBytes)
    return (count <= 0 or usedBy('n' .. suffix) + count <= most)
      and (bytes <= 0 or usedBy('b' .. suffix) + bytes <= mostBytes)
  end
  return within('', limits[1], limits[2])
    and (owner == '' or within(' ' .. owner, limits[3], limits[4]))
end
local function keep(id, ttl)
  redis.call('PEXPIRE', task, ttl)
  redis.call('ZADD', expiring, now + ttl, id)
  for i = 2, 5 do
    if redis.call('PTTL', KEYS[i]) < ttl then redis.call('PEXPIRE', KEYS[i], ttl) end
  end
end
local function limitsFrom(place)
  local limits = {}
  for i = 0, 3 do limits[i + 1] = tonumber(ARGV[place + i]) end
  return limits
end
`;

export const ADD: Script = new Script(`${COMMON}
local id, owner, bytes, ttl, json = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
sweep()
if redis.call('EXISTS', task) == 1 or not fits(owner, 1, bytes, limitsFrom(7)) then return 0 end
local number = string.format('%016d', redis.call('HINCRBY', used, 'i', 1))
local entry = owner .. ' ' .. number .. ' ' .. id
redis.call('HSET', task, 'j', json, 'v', ARGV[6])
redis.call('HSET', size, id, bytes .. ' ' .. entry)
redis.call('ZADD', order, 0, entry)
use(owner, 1, bytes)
keep(id, ttl)
return 1`);

/**
 * Changes a task. Returns 1 if the task was changed; 0 if it does not exist, has finished or has another version; -1 if
 * there is no room.
 */
export const UPDATE: Script = new Script(`${COMMON}
local id, bytes, ttl, json, isOver = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[6]
local before = redis.call('HMGET', task, 'v', 'e')
if not before[1] or before[2] or tonumber(ARGV[5]) ~= before[1] + 1 then return 0 end
local was, entry = bytesAndEntry(id)
if not was then return 0 end
local owner = ownerIn(entry)
local limits = limitsFrom(7)
if not fits(owner, 0, bytes - was, limits) then
  sweep()
  if not fits(owner, 0, bytes - was, limits) then return -1 end
end
redis.call('HSET', task, 'j', json, 'v', ARGV[5])
if isOver == '1' then redis.call('HSET', task, 'e', 1) end
redis.call('HSET', size, id, bytes .. ' ' .. entry)
use(owner, 0, bytes - was)
if ttl >= 0 then keep(id, ttl) end
return 1`);

export const DELETE: Script = new Script(`${COMMON}
redis.call('DEL', task)
forget(ARGV[1])`);

export const LIST: Script = new Script(`
local ids = {}
for i, entry in ipairs(redis.call('ZRANGEBYLEX', KEYS[1], '[' .. ARGV[1] .. ' ', '(' .. ARGV[1] .. '!')) do
  ids[i] = string.match(entry, '^[^ ]* %d+ (.*)$')
end
return ids`);
