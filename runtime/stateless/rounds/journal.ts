import type { Question, Memory } from "./memory.js";

const OWN_PREFIX = "ask-";
const MAX_KEY_LENGTH = 200;

/** The questions of a request so far, and the answers that there are. */
export class Journal {
  /** Questions by key, in the order in which they were asked. */
  readonly #asked: Map<string, Question>;
  /** Keys of those that the handler has come to, now that it runs again. */
  readonly #claimed = new Set<string>();
  /** Questions that the client has already received. */
  readonly #before: ReadonlySet<Question>;
  readonly #responses: Readonly<Record<string, unknown>>;
  #named: number;

  /** @param responses - what the client sent in return for the last round */
  constructor(memory: Memory | undefined, responses: Readonly<Record<string, unknown>>) {
    this.#asked = new Map(memory?.asked.map((one) => [one.key, one]));
    this.#named = memory?.named ?? 0;
    this.#before = new Set(memory?.asked);
    this.#responses = responses;
  }

  /** Number of questions that have been named here. */
  get named(): number {
    return this.#named;
  }

  get entries(): readonly Question[] {
    return [...this.#asked.values()];
  }

  /** A question with an answer that the handler has not come to. */
  get leftOut(): Question | undefined {
    return this.entries.find(
      (one) => !this.#claimed.has(one.key) && (one.answer ?? this.responseTo(one)) !== undefined,
    );
  }

  /**
   * Finds a question among those that were asked before, or adds it. Without a name, it is the next one that asked
   * the same: in which order different questions come does not matter.
   *
   * @returns undefined when another question was answered under the name
   * @throws TypeError for a name that cannot be one, or was given twice
   */
  claim(method: string, digest: string, name: string | undefined): Question | undefined {
    if (name !== undefined) this.#assertIsName(name);
    const found = name === undefined ? this.#next(method, digest) : this.#asked.get(name);
    const isSame = found?.method === method && found.digest === digest;
    if (found && !isSame && (found.answer ?? this.responseTo(found))) return undefined;
    const key = found?.key ?? name ?? `${OWN_PREFIX}${++this.#named}`;
    const asked = found && isSame ? found : { key, method, digest };
    this.#asked.set(key, asked);
    this.#claimed.add(key);
    return asked;
  }

  /** Client's response to a question, in an array. */
  responseTo(asked: Question): readonly [unknown] | undefined {
    const { key } = asked;
    const isAnswered = this.#before.has(asked) && Object.hasOwn(this.#responses, key);
    return isAnswered ? [this.#responses[key]] : undefined;
  }

  settle(asked: Question, answer: readonly [unknown]): void {
    this.#asked.set(asked.key, { ...asked, answer });
  }

  #next(method: string, digest: string): Question | undefined {
    return this.entries.find(
      (one) =>
        one.method === method &&
        one.digest === digest &&
        one.key.startsWith(OWN_PREFIX) &&
        !this.#claimed.has(one.key),
    );
  }

  #assertIsName(name: string): void {
    if (name.startsWith(OWN_PREFIX) || name.length > MAX_KEY_LENGTH) {
      const rule = `has at most ${MAX_KEY_LENGTH} characters and does not begin with ${OWN_PREFIX}`;
      throw new TypeError(`The key of a question ${rule}`);
    }
    if (this.#claimed.has(name)) throw new TypeError(`Two questions have the key ${name}`);
  }
}
