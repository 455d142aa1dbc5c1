import type { Readable, Writable } from "node:stream";
import { LineCounter } from "./line-counter.js";
import { listen } from "./listen.js";
import { idOf, PreparedRequest } from "./prepared-request.js";

export interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Driven {
  readonly requests: number;
  readonly seconds: number;
}

interface Load {
  readonly method: string;
  readonly params: object;
  /** Throws when a result is not right; sees the first, the last, and some between. */
  readonly check: (result: Answer["result"]) => void;
}

/** How long to go on: for a time, and until so many requests are made, but not longer than the longest time. */
export interface Extent {
  /** In milliseconds. */
  readonly time: number;
  readonly requests: number;
  readonly longest: number;
}

const IN_FLIGHT = 64;
const SAMPLE_EVERY = 997;
const PATIENCE = 30_000;

/** Keeps requests in flight to a server, and costs much less than any server does. */
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

  /** One request, alone. */
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

  /** Sends a request for each answer as long as it shall, and waits for the last answer. */
  async drive(load: Load, { time, requests, longest }: Extent): Promise<Driven> {
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
    const seconds = (performance.now() - start) / 1000;
    const last = await this.ask(load.method, load.params);
    load.check(last.result);
    return { requests: lines.count, seconds };
  }
}
