/** The work that a handler does only once per request, and its outcomes. */
export class Once {
  readonly #done: Map<string, readonly unknown[]>;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** True while a work function is being called. */
  isCalling = false;

  constructor(done: Readonly<Record<string, readonly unknown[]>> = {}) {
    this.#done = new Map(Object.entries(done));
  }

  get results(): Readonly<Record<string, readonly unknown[]>> {
    return Object.fromEntries(this.#done);
  }

  /**
   * Does the work for a key once. Concurrent calls share its outcome; if the work fails, it can be retried.
   *
   * @throws the error that the work threw; TypeError if its value is not JSON
   */
  do<Value>(key: string, work: () => Value | Promise<Value>): Promise<Value> {
    const done = this.#done.get(key);
    if (done) return Promise.resolve(structuredClone(done[0]) as Value);
    let underWay = this.#underWay.get(key) as Promise<Value> | undefined;
    if (underWay === undefined) {
      underWay = this.#work(key, work);
      this.#underWay.set(key, underWay);
      const over = (): void => void this.#underWay.delete(key);
      underWay.then(over, over);
    }
    return underWay;
  }

  async #work<Value>(key: string, work: () => Value | Promise<Value>): Promise<Value> {
    const text = JSON.stringify(await this.#call(work)) as string | undefined;
    const result = (text === undefined ? [] : [JSON.parse(text)]) as readonly [Value];
    this.#done.set(key, result);
    return structuredClone(result[0]);
  }

  #call<Value>(work: () => Value | Promise<Value>): Value | Promise<Value> {
    const isInside = this.isCalling;
    this.isCalling = true;
    try {
      return work();
    } finally {
      this.isCalling = isInside;
    }
  }
}
