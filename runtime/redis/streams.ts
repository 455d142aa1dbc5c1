import type { StoredEvent } from "@mcp-codegen/runtime/http/server";
import type { StreamReading, StreamStore, StreamWriter } from "@mcp-codegen/runtime/http/sharing";
import { type Engine, Script } from "./engine.js";
import type { Subscriptions } from "./subscriptions.js";

export interface RedisStreamsOptions {
  /** The time, in milliseconds, for which a finished stream is kept. */
  readonly ttl: number;
  /** The time, in milliseconds, for which an open stream is kept. */
  readonly openTtl: number;
  readonly maxEvents: number;
}

/** An operation on a stream, with its two arguments: `o` opens, `a` appends, `e` ends, `p` pushes, `s` settles. */
type Operation = readonly [kind: "o" | "a" | "e" | "p" | "s", one: string | number, other: string];

interface Waiting {
  readonly operation: Operation;
  resolve(done: number): void;
  reject(error: unknown): void;
}

/** The maximum number of operations per script call. */
const MOST = 500;

export class RedisStreams implements StreamStore {
  readonly #engine: Engine;
  readonly #subscriptions: Subscriptions;
  readonly #options: RedisStreamsOptions;
  /** The operations that are waiting for the next script call, by stream key. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(engine: Engine, subscriptions: Subscriptions, options: RedisStreamsOptions) {
    this.#engine = engine;
    this.#subscriptions = subscriptions;
    this.#options = options;
  }

  async open(session: string, stream: string, writer?: StreamWriter): Promise<void> {
    await this.#do(session, stream, ["o", writer ? JSON.stringify(writer) : "", ""]);
  }

  async append(
    session: string,
    stream: string,
    { index, data }: StoredEvent,
  ): Promise<boolean | undefined> {
    const done = await this.#do(session, stream, ["a", index, data]);
    return done === 2 ? undefined : done === 1;
  }

  async end(session: string, stream: string, last: number): Promise<boolean> {
    return (await this.#do(session, stream, ["e", last, ""])) === 1;
  }

  async push(session: string, stream: string, data: string, once?: string): Promise<void> {
    await this.#do(session, stream, ["p", once === undefined ? "" : `k${once}`, data]);
  }

  async settle(session: string, stream: string, data: string): Promise<boolean> {
    return (await this.#do(session, stream, ["s", "", data])) === 1;
  }

  async read(
    session: string,
    stream: string,
    after: number | "unseen",
    sees = false,
  ): Promise<StreamReading | undefined> {
    const keys = this.#keys(session, stream).slice(0, 2);
    const args = [stream, after === "unseen" ? -1 : after, sees ? 1 : 0];
    const reply = await this.#engine.run(READ, keys, args);
    if (!Array.isArray(reply)) return undefined;
    const [first, last, isOver, writer, texts] = reply as [
      number,
      number,
      number,
      string,
      string[],
    ];
    const events = texts.map((data, place) => ({ index: Number(first) + place, data }));
    const reading = { events, last: Number(last), isOver: Number(isOver) === 1 };
    return writer === "" ? reading : { ...reading, writer: JSON.parse(writer) as StreamWriter };
  }

  watch(session: string, listener: () => void): () => void {
    const channel = this.#engine.key(session, "w");
    return this.#subscriptions.listen(channel, { message: listener, holds: listener });
  }

  #do(session: string, stream: string, operation: Operation): Promise<number> {
    const name = this.#engine.key(session, stream);
    return new Promise((resolve, reject) => {
      const one = { operation, resolve, reject };
      const waiting = this.#waiting.get(name);
      if (waiting) {
        waiting.push(one);
        return;
      }
      this.#waiting.set(name, [one]);
      void this.#work(name, session, stream);
    });
  }

  async #work(name: string, session: string, stream: string): Promise<void> {
    const waiting = this.#waiting.get(name)!;
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST);
      try {
        const results = await this.#write(session, stream, batch);
        for (const [index, { resolve }] of batch.entries()) resolve(Number(results[index]));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(name);
  }

  async #write(
    session: string,
    stream: string,
    batch: readonly Waiting[],
  ): Promise<readonly unknown[]> {
    const { ttl, openTtl, maxEvents } = this.#options;
    const operations = batch.flatMap(({ operation }) => operation);
    const channel = this.#engine.key(session, "w");
    const args = [stream, ttl, openTtl, maxEvents, channel, ...operations];
    return (await this.#engine.run(WRITE, this.#keys(session, stream), args)) as unknown[];
  }

  #keys(session: string, stream: string): string[] {
    const names = ["c", `e:${stream}`, "k"];
    return names.map((name) => this.#engine.key(session, name));
  }
}

/**
 * The beginning of the scripts, which finds a stream. A stream with one writer has its own hash: `w` is the writer;
 * `l`, `f` and `s` are the indexes of the last event, the first one kept and the last one seen; `o` exists once the
 * stream has ended, and is 2 if an instance other than the writer ended it; each event is stored under its index.
 * Streams that all instances write are in their session's hash, where the stream's name precedes each field name.
 */
const FIND = `
local common, own = KEYS[1], KEYS[2]
local isEnded = redis.call('HEXISTS', common, 'x') == 1
local before = ARGV[1] .. ' '
local isCommon = redis.call('HEXISTS', common, before .. 'l') == 1
local hash = isCommon and common or own
if not isCommon then before = '' end
local function get(name) return redis.call('HGET', hash, before .. name) end
local function set(...)
  local given = { ... }
  for i = 1, #given, 2 do given[i] = before .. given[i] end
  redis.call('HSET', hash, unpack(given))
end
local last = tonumber(get('l') or -1)
`;

/**
 * Performs operations in order and returns a number for each: 0 if it was rejected, 2 if an append found no stream or
 * no previous event, otherwise 1.
 */
export const WRITE: Script = new Script(`${FIND}
local ttl, openTtl, most = ARGV[2], ARGV[3], tonumber(ARGV[4])
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
local over = get('o')
local changed = false
local function add(index, data)
  set(index, data, 'l', index)
  last = index
  changed = true
  if index > most then
    redis.call('HDEL', hash, before .. (index - most))
    set('f', index - most + 1)
  end
end
local function finish(how)
  set('o', how)
  over = how
  changed = true
end
local does = {
  o = function(writer)
    if last >= 0 or isEnded then return 1 end
    if writer == '' then
      hash, before, isCommon = common, ARGV[1] .. ' ', true
    else
      set('w', writer)
    end
    set('l', 0, 'f', 1, 's', 0)
    last = 0
    return 1
  end,
  a = function(index, data)
    index = tonumber(index)
    if last < 0 or isEnded then return 2 end
    if over == '2' then return 0 end
    if index <= last then return 1 end
    if over then return 0 end
    if index ~= last + 1 then return 2 end
    add(index, data)
    return 1
  end,
  e = function(index)
    if last < 0 or over or isEnded then return 1 end
    if last < tonumber(index) then return 0 end
    finish('1')
    return 1
  end,
  p = function(once, data)
    if last < 0 or over or isEnded then return 0 end
    if once ~= '' then
      local key = ARGV[1] .. ' ' .. once
      local added = redis.call('ZSCORE', KEYS[3], key)
      if added and tonumber(added) > now - 60000 then return 0 end
      -- First what is refused without memory: a script that has changed something is not refused any more.
      redis.call('ZADD', KEYS[3], now, key)
      redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - 60000)
      redis.call('PEXPIRE', KEYS[3], 60000)
    end
    add(last + 1, data)
    return 1
  end,
  s = function(_, data)
    if last < 0 or over or isEnded then return 0 end
    add(last + 1, data)
    finish('2')
    return 1
  end,
}
local results = {}
for i = 6, #ARGV, 3 do results[#results + 1] = does[ARGV[i]](ARGV[i + 1], ARGV[i + 2]) end
if last >= 0 and not isEnded then
  -- Streams of all instances never outlive their session by more than an unused one.
  redis.call('PEXPIRE', hash, over and not isCommon and ttl or openTtl)
end
if changed then redis.call('PUBLISH', ARGV[5], '') end
return results`);

/**
 * Returns the index of the first event after a position, the index of the last event, 1 if the stream has ended, the
 * writer, and the events' data. Returns false if the stream or one of these events is no longer kept.
 */
export const READ: Script = new Script(`${FIND}
if last < 0 or isEnded then return false end
local first = tonumber(get('f'))
local after = tonumber(ARGV[2])
local texts = {}
if after < 0 then
  after = math.max(tonumber(get('s')), first - 1)
elseif after > last or after + 1 < first then
  return false
end
for start = after + 1, last, 1000 do
  local names = {}
  for index = start, math.min(start + 999, last) do names[#names + 1] = before .. index end
  for _, text in ipairs(redis.call('HMGET', hash, unpack(names))) do
    if not text then return false end
    texts[#texts + 1] = text
  end
end
if ARGV[3] == '1' then set('s', last) end
return { after + 1, last, get('o') and 1 or 0, get('w') or '', texts }`);
