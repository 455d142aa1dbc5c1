import type { KeptSession, SessionRecord, SessionStore } from "@mcp-codegen/runtime/http/sharing";
import { type Engine, NOW, Script } from "./engine.js";

/**
 * Creates a session. A session is a hash: `r` is its record, `v` its version, `t` its creation time. `l` is a sorted
 * set of its persistent messages, by the version in which each was added. `c` contains the streams that all instances
 * write, which live as long as the session.
 */
const CREATE = new Script(`${NOW}
redis.call('HSET', KEYS[1], 'r', ARGV[2], 'v', 0, 't', now)
redis.call('PEXPIRE', KEYS[1], ARGV[1])`);

const USE = new Script(`${NOW}
local v = redis.call('HGET', KEYS[1], 'v')
if not v then return false end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
if v == ARGV[2] then return 'known' end
local r, t = unpack(redis.call('HMGET', KEYS[1], 'r', 't'))
return { v, now - t, r, redis.call('ZRANGE', KEYS[2], 0, -1) }`);

const TOUCH = new Script(`
local found = redis.call('EXISTS', KEYS[1])
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
return found`);

const REMEMBER = new Script(`
local v = redis.call('HGET', KEYS[1], 'v')
if not v then return false end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) and not redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  return 'full'
end
redis.call('ZADD', KEYS[2], v + 1, ARGV[2])
redis.call('HSET', KEYS[1], 'v', v + 1)
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
return v + 1`);

const FORGET = new Script(`
local v = redis.call('HGET', KEYS[1], 'v')
if not v then return false end
v = tonumber(v)
if redis.call('ZREM', KEYS[2], ARGV[2]) == 1 then v = redis.call('HINCRBY', KEYS[1], 'v', 1) end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
return v`);

const COUNT = new Script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
return redis.call('HINCRBY', KEYS[1], 'n', 1)`);

/** Ends a session and its streams. `x` marks the session as ended until its last stream has expired. */
const END = new Script(`
local was = redis.call('EXISTS', KEYS[1])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[3], 'x', 1)
redis.call('PEXPIRE', KEYS[3], ARGV[1])
redis.call('PUBLISH', ARGV[2], '')
return was`);

export interface RedisSessionsOptions {
  readonly ttl: number;
  readonly streamTtl: number;
}

export class RedisSessions implements SessionStore {
  readonly ttl: number;
  readonly #streamTtl: number;
  readonly #engine: Engine;

  constructor(engine: Engine, { ttl, streamTtl }: RedisSessionsOptions) {
    this.#engine = engine;
    this.ttl = ttl;
    this.#streamTtl = streamTtl;
  }

  async create(id: string, record: SessionRecord): Promise<void> {
    await this.#run(CREATE, id, JSON.stringify(record));
  }

  async use(id: string, known?: number): Promise<KeptSession | "known" | undefined> {
    const reply = await this.#run(USE, id, known ?? "");
    if (reply === null) return undefined;
    if (!Array.isArray(reply)) return "known";
    const [version, age, text, lasting] = reply as [string, number, string, string[]];
    const record = JSON.parse(text) as SessionRecord;
    return { version: Number(version), age: Number(age), record, lasting };
  }

  async touch(ids: readonly string[]): Promise<readonly string[]> {
    const found = await Promise.all(ids.map((id) => this.#run(TOUCH, id)));
    return ids.filter((_, index) => found[index] === 0);
  }

  async remember(id: string, message: string, most: number): Promise<number | "full" | undefined> {
    const reply = await this.#run(REMEMBER, id, message, most);
    if (reply === null) return undefined;
    return reply === "full" ? "full" : Number(reply);
  }

  async forget(id: string, message: string): Promise<number | undefined> {
    const reply = await this.#run(FORGET, id, message);
    return reply === null ? undefined : Number(reply);
  }

  async count(id: string): Promise<number | undefined> {
    const reply = await this.#run(COUNT, id);
    return reply === null ? undefined : Number(reply);
  }

  async end(id: string): Promise<boolean> {
    const args = [this.#streamTtl, this.#engine.key(id, "w")];
    return (await this.#engine.run(END, this.#keys(id), args)) === 1;
  }

  #run(script: Script, id: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#engine.run(script, this.#keys(id), [this.ttl, ...args]);
  }

  #keys(id: string): string[] {
    return ["s", "l", "c"].map((name) => this.#engine.key(id, name));
  }
}
