import { RoundTrips, type Wire } from "./round-trips.js";

/** A server that can be killed without warning. */
export interface Instance {
  request(method: string, params: object): Promise<Wire>;
  /** Kills it, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Several servers that share only a key; each request goes to the next one. */
export class Fleet extends RoundTrips {
  /** True to kill and replace the process that has just answered. */
  isDeadly = false;
  /** The number of processes started so far. */
  count = 0;
  readonly #make: () => Instance;
  readonly #instances: Instance[] = [];
  #next = 0;

  /** @param make - starts another instance, with what they all have in common */
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
