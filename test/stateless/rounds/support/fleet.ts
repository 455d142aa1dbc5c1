import { RoundTrips, type Wire } from "./round-trips.js";

/** A server that can be killed without warning. */
export interface Instance {
  request(method: string, params: object): Promise<Wire>;
  /** Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Several servers that share a key and nothing else; each request goes to the next one. */
export class Fleet extends RoundTrips {
  /** True to kill the process that has just answered, and replace it. */
  isDeadly = false;
  /** Number of processes so far. */
  count = 0;
  readonly #make: () => Instance;
  readonly #instances: Instance[] = [];
  #next = 0;

  /** @param make - starts one more, with what they have in common */
  constructor(make: () => Instance, size: number) {
    super();
    this.#make = make;
    for (let at = 0; at < size; at++) this.#instances.push(this.#start());
  }

  async request(method: string, params: object): Promise<Wire> {
    const at = this.#next++ % this.#instances.length;
    const instance = this.#instances[at]!;
    const answer = await instance.request(method, params);
    if (this.isDeadly) {
      await instance.kill();
      this.#instances[at] = this.#start();
    }
    return answer;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#instances.map((instance) => instance.kill()));
  }

  #start(): Instance {
    this.count += 1;
    return this.#make();
  }
}
