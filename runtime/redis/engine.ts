import { type Connection, type RedisClient, connectionOf } from "./connection.js";

export interface EngineOptions {
  readonly prefix: string;
  readonly timeout: number;
  readonly onerror: ((error: Error) => void) | undefined;
}

/** Milliseconds between two looks at whether the connection is there. */
const LOOK = 20;

/** Way to Redis: every answer comes within a time, and every outage is reported once. */
export class Engine {
  readonly connection: Connection;
  /** Ends what listens to the client. */
  readonly close: () => void;
  readonly #prefix: string;
  readonly #timeout: number;
  readonly #outages: Outages;

  constructor(client: RedisClient, { prefix, timeout, onerror }: EngineOptions) {
    this.connection = connectionOf(client);
    this.#outages = new Outages(onerror);
    this.#prefix = prefix;
    this.#timeout = timeout;
    this.close = this.connection.onerror((error) => this.failed(error));
  }

  /**
   * Key of a value. What has the same `group` is in the same slot of a cluster, unless the prefix has braces: then
   * everything is.
   */
  key(group: string, name: string): string {
    return `${this.#prefix}{${part(group)}}:${name}`;
  }

  /** @throws RedisError */
  command(command: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#within(() => this.connection.send([command, key, ...args.map(String)], key));
  }

  /** @throws RedisError */
  run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const given = [String(keys.length), ...keys, ...args.map(String)];
    return this.#within(async () => {
      try {
        return await this.connection.send(["EVALSHA", await script.digest, ...given], keys[0]);
      } catch (error) {
        if (!isReply(error, "NOSCRIPT")) throw error;
        return this.connection.send(["EVAL", script.text, ...given], keys[0]);
      }
    });
  }

  /** Reports a failure, unless its outage is known. @returns the error that callers get for it */
  failed(error: unknown): RedisError {
    const failure = this.#failure(error);
    this.#outages.failed(failure);
    return failure;
  }

  async #within(work: () => Promise<unknown>): Promise<unknown> {
    const deadline = performance.now() + this.#timeout;
    try {
      // What waits in the queue of the client would be done after it was given up.
      if (!this.connection.isReady) await this.#connected(deadline);
      const value = await this.#bounded(work(), deadline);
      this.#outages.worked();
      return value;
    } catch (error) {
      throw this.failed(error);
    }
  }

  async #connected(deadline: number): Promise<void> {
    while (!this.connection.isReady) {
      if (performance.now() >= deadline) {
        const message = `Redis cannot be reached: no connection within ${this.#timeout} ms (option timeout)`;
        throw new RedisError("unreachable", message);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  #bounded(work: Promise<unknown>, deadline: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          const message = `Redis did not answer within ${this.#timeout} ms (option timeout)`;
          reject(new RedisError("unanswered", message));
        },
        Math.max(0, deadline - performance.now()),
      );
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  #failure(error: unknown): RedisError {
    if (error instanceof RedisError) return error;
    const text = textOf(error);
    // The first word of an error that Redis answers with is its code. The error itself may have the command with it.
    return /^[A-Z]+ /.test(text)
      ? new RedisError("refused", `Redis has refused: ${text}`)
      : new RedisError("unanswered", `Redis did not answer: ${text}`);
  }
}

/** Text of an error; one of several addresses of a server has a text for each. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

function isReply(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code);
}

/** Part of a key: letters, digits and a few marks; everything else by the number of its UTF-16 unit. */
export function part(text: string): string {
  return text.replace(/[^\w.~-]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Start of scripts that need the time: `now`, in milliseconds, by the clock of Redis. */
export const NOW = `
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
`;

/** Program that Redis runs in one step. It touches the keys that it is given, which are all in one slot. */
export class Script {
  readonly text: string;
  #digest: Promise<string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** SHA-1 of the text, in hexadecimal digits: the name under which Redis knows the script once it has run. */
  get digest(): Promise<string> {
    this.#digest ??= digestOf(this.text);
    return this.#digest;
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Milliseconds without a failure after which Redis counts as back, so that a next failure is reported. */
const CALM = 1000;

/** Reports the beginning of each outage, once. */
export class Outages {
  readonly #report: (error: Error) => void;
  /** Time of the last failure that no long calm has followed, on the clock of `performance.now()`. */
  #failed: number | undefined;

  constructor(onerror: ((error: Error) => void) | undefined) {
    this.#report = onerror ?? ((error) => console.error(`@mcp-codegen/redis: ${error.message}`));
  }

  failed(error: Error): void {
    const isKnown = this.#failed !== undefined;
    this.#failed = performance.now();
    if (isKnown) return;
    try {
      this.#report(error);
    } catch {
      // A log that fails cannot be told to anybody.
    }
  }

  worked(): void {
    if (this.#failed !== undefined && performance.now() - this.#failed > CALM)
      this.#failed = undefined;
  }
}

/** Reason why a {@link RedisError} was thrown. */
export type RedisErrorCode =
  /** There is no connection, and none came within the time: nothing was asked for. */
  | "unreachable"
  /** No reply came within the time, or the connection was lost: what was asked for may have been done. */
  | "unanswered"
  /** Redis has answered with an error, such as one for being out of memory: nothing was changed. */
  | "refused";

/** Redis did not do what it was asked for. */
export class RedisError extends Error {
  override readonly name = "RedisError";
  readonly code: RedisErrorCode;

  constructor(code: RedisErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
