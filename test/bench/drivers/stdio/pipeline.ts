import type { Readable, Writable } from "node:stream";
import type { Effort } from "../../core/section.js";
import { LineCounter } from "./line-counter.js";
import { listen } from "./listen.js";
import { idOf, PreparedRequest } from "./prepared-request.js";

export interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The request that is repeated. */
export interface Load {
  readonly method: string;
  readonly params: object;
  /** Throws if a result is wrong. It is called with the first result, the last one and some in between. */
  readonly check: (result: Answer["result"]) => void;
}

/**
 * The duration of a run: a time in milliseconds, and a minimum number of requests that applies only until the longest
 * time is over.
 */
export interface Extent {
  readonly time: number;
  readonly requests?: number;
  readonly longest?: number;
}

/** Returns the extent of a warm-up. */
export function extentOf({ warmUp, warmUpRequests }: Effort): Extent {
  return { time: warmUp, requests: warmUpRequests, longest: 4 * warmUp };
}

const IN_FLIGHT = 64;
const SAMPLE_EVERY = 997;
const PATIENCE = 30_000;

/** A driver that keeps requests to a server in flight, at a fraction of the server's cost. */
export class Pipeline {
  readonly #input: Writable;
  readonly #output: Readable;
  #sent = 0;

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    this.#output = output;
  }

  tell(method: string): void {
    this.#input.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
  }

  /** Sends one request and waits for its answer. */
  async ask(method: string, params: object): Promise<Answer> {
    const request = new PreparedRequest(method, params, 1);
    let answer: Answer | undefined;
    const id = idOf(this.#sent);
    const lines = new LineCounter(1, (line) => {
      const message = JSON.parse(line) as Answer;
      if (message.id === id) answer = message;
    });
    this.#input.write(request.take(1, this.#sent++));
    await listen(
      this.#output,
      (chunk) => {
        lines.push(chunk);
        return answer !== undefined;
      },
      PATIENCE,
    );
    return answer!;
  }

  /**
   * Sends another request for each answer until the extent is over, then waits for the last answer.
   *
   * @returns the number of answered requests
   */
  async drive(load: Load, { time, requests = 0, longest = time }: Extent): Promise<number> {
    const request = new PreparedRequest(load.method, load.params, IN_FLIGHT);
    const first = this.#sent;
    const lines = new LineCounter(SAMPLE_EVERY, (line) => {
      const { id = -1, result } = JSON.parse(line) as Answer;
      if (id < idOf(first) || id >= idOf(this.#sent)) throw new Error(`Not asked: ${line}`);
      if (result === undefined) throw new Error(`No result: ${line}`);
      load.check(result);
    });
    const send = (count: number): void => {
      this.#input.write(request.take(count, this.#sent));
      this.#sent += count;
    };
    const start = performance.now();
    const goesOn = (): boolean => {
      const passed = performance.now() - start;
      return passed < time || (lines.count < requests && passed < longest);
    };
    send(IN_FLIGHT);
    await listen(
      this.#output,
      (chunk) => {
        const answered = lines.push(chunk);
        if (answered > 0 && goesOn()) send(answered);
        return first + lines.count === this.#sent;
      },
      longest + PATIENCE,
    );
    const last = await this.ask(load.method, load.params);
    load.check(last.result);
    return lines.count + 1;
  }
}
