import type { InputRecord, RoundState } from "./state.js";

const OWN_PREFIX = "ask-";
const MAX_KEY_LENGTH = 200;

/** All input requests that a handler has sent for one client request, in order and with their answers. */
export class InputRecords {
  readonly #byKey: Map<string, InputRecord>;
  /** The keys of the input requests that this call of the handler has repeated. */
  readonly #claimed = new Set<string>();
  /** Input requests from earlier rounds, which the client has received. */
  readonly #before: ReadonlySet<InputRecord>;
  readonly #responses: Readonly<Record<string, unknown>>;
  /** The number of keys that this server has assigned to input requests whose handler did not choose a key. */
  named: number;

  constructor(state: RoundState | undefined, responses: Readonly<Record<string, unknown>>) {
    this.#byKey = new Map(state?.asked.map((one) => [one.key, one]));
    this.named = state?.named ?? 0;
    this.#before = new Set(state?.asked);
    this.#responses = responses;
  }

  get entries(): readonly InputRecord[] {
    return [...this.#byKey.values()];
  }

  /** An input request that the client has answered but the handler has not repeated. */
  get leftOut(): InputRecord | undefined {
    return this.entries.find(
      (one) => !this.#claimed.has(one.key) && (one.answer ?? this.responseTo(one)) !== undefined,
    );
  }

  /**
   * Finds an earlier input request, or adds a new one. If no key is given, finds the next one with the same content, so
   * that the order of different input requests does not matter.
   *
   * @returns undefined if the key belongs to another input request that has been answered
   * @throws TypeError if the key is invalid or was used twice
   */
  claim(method: string, digest: string, key: string | undefined): InputRecord | undefined {
    if (key !== undefined) this.#assertIsKey(key);
    const found = key === undefined ? this.#next(method, digest) : this.#byKey.get(key);
    const isSame = found?.method === method && found.digest === digest;
    if (found && !isSame && (found.answer ?? this.responseTo(found))) return undefined;
    const own = found?.key ?? key ?? `${OWN_PREFIX}${++this.named}`;
    const record = found && isSame ? found : { key: own, method, digest };
    this.#byKey.set(own, record);
    this.#claimed.add(own);
    return record;
  }

  /**
   * Returns the client's response to an input request from an earlier round, as the only element of an array. Returns
   * undefined if there is no response.
   */
  responseTo(record: InputRecord): readonly [unknown] | undefined {
    const { key } = record;
    const isAnswered = this.#before.has(record) && Object.hasOwn(this.#responses, key);
    return isAnswered ? [this.#responses[key]] : undefined;
  }

  settle(record: InputRecord, answer: readonly [unknown]): void {
    this.#byKey.set(record.key, { ...record, answer });
  }

  #next(method: string, digest: string): InputRecord | undefined {
    return this.entries.find(
      (one) =>
        one.method === method &&
        one.digest === digest &&
        one.key.startsWith(OWN_PREFIX) &&
        !this.#claimed.has(one.key),
    );
  }

  #assertIsKey(key: string): void {
    if (key.startsWith(OWN_PREFIX) || key.length > MAX_KEY_LENGTH) {
      const rule = `must have at most ${MAX_KEY_LENGTH} characters, and must not begin with ${OWN_PREFIX}`;
      throw new TypeError(`The key of a request for input ${rule}`);
    }
    if (this.#claimed.has(key)) throw new TypeError(`Two requests for input have the key ${key}`);
  }
}
