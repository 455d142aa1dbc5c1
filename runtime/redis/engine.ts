import { type Connection, type RedisClient, connectionOf } from "./connection.js";

export interface EngineOptions {
  readonly prefix: string;
  readonly timeout: number;
  readonly onerror: ((error: Error) => void) | undefined;
}

/** The interval, in milliseconds, between checks while waiting for the connection. */
const LOOK = 20;

export class Engine {
  readonly connection: Connection;
  /** Removes the listeners from the client, but leaves the client open. */
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
   * Returns a key. Keys with the same `group` are in the same cluster slot. If the prefix contains braces, all keys are
   * in one slot.
   */
  key(group: string, name: string): string {
    return `${this.#prefix}{${part(group)}}:${name}`;
  }

  command(command: string, key: string, ...args: (string | number)[]): Promise<unknown> {
    return this.#within(() => this.connection.send([command, key, ...args.map(String)], key));
  }

  run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    const operands = [String(keys.length), ...keys, ...args.map(String)];
    return this.#within(async () => {
      try {
        return await this.connection.send(["EVALSHA", await script.digest, ...operands], keys[0]);
      } catch (error) {
        if (!isReply(error, "NOSCRIPT")) throw error;
        return this.connection.send(["EVAL", script.text, ...operands], keys[0]);
      }
    });
  }

  /** Reports the first failure in an outage, and converts every failure to a `RedisError` for callers. */
  failed(error: unknown): RedisError {
    const failure = this.#failure(error);
    this.#outages.failed(failure);
    return failure;
  }

  async #within(work: () => Promise<unknown>): Promise<unknown> {
    const deadline = performance.now() + this.#timeout;
    try {
      // A command that waits in the client's queue would run after its caller has given up.
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
    // The first word of an error reply is its code. The error itself may contain the command.
    return /^[A-Z]+ /.test(text)
      ? new RedisError("refused", `Redis returned an error: ${text}`)
      : new RedisError("unanswered", `Redis did not answer: ${text}`);
  }
}

/** Returns the message of an error. The error for a server with several addresses has one message for each address. */
function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

function isReply(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code);
}

/**
 * Encodes part of a key so that it contains no braces or separators. Characters other than letters, digits and `_.~-`
 * become `%` followed by their UTF-16 code unit in hexadecimal.
 */
export function part(text: string): string {
  return text.replace(/[^\w.~-]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The beginning of scripts that need Redis's time: `now`, in milliseconds. */
export const NOW = `
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
`;

/** A script that Redis runs atomically. Its keys must all be in one slot. */
export class Script {
  readonly text: string;
  #digest: Promise<string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The SHA-1 digest of the text, in hexadecimal, under which Redis caches the script. */
  get digest(): Promise<string> {
    this.#digest ??= digestOf(this.text);
    return this.#digest;
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The time, in milliseconds, that must pass after a failure before a successful command ends the outage. */
const CALM = 1000;

export class Outages {
  readonly #report: (error: Error) => void;
  /** The time of the last failure in the current outage, on the `performance.now()` clock. */
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
      // An error in the log itself cannot be reported.
    }
  }

  worked(): void {
    if (this.#failed !== undefined && performance.now() - this.#failed > CALM)
      this.#failed = undefined;
  }
}

/** The reason why a {@link RedisError} was thrown. */
export type RedisErrorCode =
  /** There is no connection, and none could be established within the timeout, so the command was not sent. */
  | "unreachable"
  /** There was no reply within the timeout, or the connection was lost: the command may have been executed. */
  | "unanswered"
  /** Redis replied with an error, for example because it is out of memory: nothing was changed. */
  | "refused";

/** The error for a failed Redis command. `code` shows whether the command may have been executed. */
export class RedisError extends Error {
  override readonly name = "RedisError";
  readonly code: RedisErrorCode;

  constructor(code: RedisErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
