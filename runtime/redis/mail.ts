import type { InstanceMail } from "@mcp-codegen/runtime/http/sharing";
import { type Engine, NOW, Script } from "./engine.js";
import type { Subscriptions } from "./subscriptions.js";

/**
 * The heartbeat script, which extends an instance's keys: `a` exists while the instance is alive, `m` holds its
 * messages by number, and `n` is its last message's number.
 */
const BEAT = new Script(`
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[1])`);

/** Lists an instance until its lease ends, and returns the store's name, which is kept longer than any session. */
const LIST = new Script(`${NOW}
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
redis.call('SET', KEYS[2], ARGV[3], 'NX')
redis.call('PEXPIRE', KEYS[2], ARGV[4])
return redis.call('GET', KEYS[2])`);

const OTHERS = new Script(`${NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], now, '+inf')`);

const SEND = new Script(`
local left = redis.call('PTTL', KEYS[1])
if left < 0 then return 0 end
-- Numbers begin with the time, so that they are never used twice.
if redis.call('EXISTS', KEYS[3]) == 0 then
  local now = redis.call('TIME')
  redis.call('SET', KEYS[3], now[1] .. string.format('%06d', now[2]))
end
local number = string.format('%.0f', redis.call('INCR', KEYS[3]))
redis.call('ZADD', KEYS[2], number, number .. ':' .. ARGV[1])
redis.call('PEXPIRE', KEYS[2], left)
redis.call('PEXPIRE', KEYS[3], left)
redis.call('PUBLISH', ARGV[2], '')
return 1`);

const TAKE = new Script(`
if #ARGV > 0 then redis.call('ZREM', KEYS[1], unpack(ARGV)) end
return redis.call('ZRANGE', KEYS[1], 0, 99)`);

/**
 * Carries messages between instances through Redis. A published signal makes the recipient fetch them immediately. If
 * the signal is lost, the next heartbeat fetches them.
 */
export class RedisMail implements InstanceMail {
  readonly #engine: Engine;
  readonly #subscriptions: Subscriptions;
  readonly #looks = new Map<string, () => void>();

  readonly #sessionTtl: number;

  constructor(engine: Engine, subscriptions: Subscriptions, sessionTtl: number) {
    this.#engine = engine;
    this.#subscriptions = subscriptions;
    this.#sessionTtl = sessionTtl;
  }

  async beat(instance: string, lease: number): Promise<string> {
    const keys = [this.#list, this.#engine.key("instances", "store")];
    const newName = crypto.randomUUID().slice(0, 8);
    const ttl = 2 * Math.max(this.#sessionTtl, lease);
    const [name] = await Promise.all([
      this.#engine.run(LIST, keys, [instance, lease, newName, ttl]),
      this.#engine.run(BEAT, this.#keys(instance, "a", "m", "n"), [lease]),
    ]);
    this.#looks.get(instance)?.();
    return name as string;
  }

  async leave(instance: string): Promise<void> {
    const keys = this.#keys(instance, "a", "m", "n");
    await Promise.all([
      ...keys.map((key) => this.#engine.command("DEL", key)),
      this.#engine.command("ZREM", this.#list, instance),
    ]);
  }

  async isAlive(instance: string): Promise<boolean> {
    return (await this.#engine.command("EXISTS", this.#engine.key(instance, "a"))) === 1;
  }

  async send(to: string, text: string): Promise<boolean> {
    const args = [text, this.#engine.key(to, "w")];
    return (await this.#engine.run(SEND, this.#keys(to, "a", "m", "n"), args)) === 1;
  }

  async sendAll(text: string, from: string): Promise<void> {
    const instances = (await this.#engine.run(OTHERS, [this.#list], [])) as string[];
    const others = instances.filter((instance) => instance !== from);
    await Promise.all(others.map((instance) => this.send(instance, text)));
  }

  receive(instance: string, listener: (text: string) => void): () => void {
    const box = new Mailbox(this.#engine, this.#engine.key(instance, "m"), listener);
    const look = (): void => box.look();
    this.#looks.set(instance, look);
    const channel = this.#engine.key(instance, "w");
    const stop = this.#subscriptions.listen(channel, { message: look, holds: look });
    look();
    return () => {
      this.#looks.delete(instance);
      stop();
      box.close();
    };
  }

  get #list(): string {
    return this.#engine.key("instances", "all");
  }

  #keys(instance: string, ...names: string[]): string[] {
    return names.map((name) => this.#engine.key(instance, name));
  }
}

/** The messages for one instance. A message stays in Redis until the next fetch confirms it. */
class Mailbox {
  readonly #engine: Engine;
  readonly #key: string;
  readonly #listener: (text: string) => void;
  /** The delivered messages, which the next fetch removes from Redis. */
  #delivered: readonly string[] = [];
  #isLooking = false;
  #isDue = false;
  #isClosed = false;

  constructor(engine: Engine, key: string, listener: (text: string) => void) {
    this.#engine = engine;
    this.#key = key;
    this.#listener = listener;
  }

  look(): void {
    this.#isDue = true;
    if (!this.#isLooking) void this.#fetch();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #fetch(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#isDue && !this.#isClosed) {
        this.#isDue = false;
        const delivered = this.#delivered;
        const messages = (await this.#engine.run(TAKE, [this.#key], delivered)) as string[];
        if (this.#isClosed) return;
        this.#delivered = messages;
        for (const message of messages) {
          if (!delivered.includes(message)) this.#listener(message.slice(message.indexOf(":") + 1));
        }
        // The delivered messages must be removed, and there may be more.
        if (messages.length > 0) this.#isDue = true;
      }
    } catch {
      // The outage has been reported; the next heartbeat tries again.
    } finally {
      this.#isLooking = false;
    }
  }
}
