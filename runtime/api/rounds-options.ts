/** Bytes of a secret that seals. */
const KEY_BYTES = 32;

/** Options for questions to the client inside results (MCP: multi round trips). */
export interface RoundsOptions {
  /**
   * Secrets of 32 random bytes that seal what has to be remembered between rounds: the first seals, all of them open.
   * The same ones at all instances, so that any of them can go on. To change them, put the new one last, later first,
   * and leave the old one out when `timeToAnswer` has passed. Default: one that only this process has.
   */
  readonly keys?: readonly Uint8Array[] | undefined;
  /** Milliseconds that a client may take to answer. Default: one hour. */
  readonly timeToAnswer?: number | undefined;
  /** Rounds that a request may take. Default: 20. */
  readonly maxRounds?: number | undefined;
  /** Characters of what is remembered, sealed. Default: 65 536. */
  readonly maxStateLength?: number | undefined;
  /**
   * Makes sure that what was sealed is used once. Without it a client can repeat the last step of a request as often
   * as it likes before it expires, which what a handler does has to bear. With it, a client whose connection broke
   * before it had the answer cannot repeat that step either, and has to begin anew.
   *
   * @param id - of a round
   * @param expires - when it need not be remembered any more, in milliseconds since 1970
   * @returns true the first time that it is called with an id, at whichever instance
   */
  readonly redeem?: ((id: string, expires: number) => boolean | Promise<boolean>) | undefined;
}

/** @throws TypeError for options that make no sense */
export function assertRounds(options: RoundsOptions = {}): void {
  const { keys, redeem, ...numbers } = options;
  for (const name of ["timeToAnswer", "maxRounds", "maxStateLength"] as const) {
    const value = numbers[name];
    if (value !== undefined && !(value > 0)) {
      throw new TypeError(`rounds.${name} is a number above 0`);
    }
  }
  if (keys !== undefined && !areKeys(keys)) {
    const advice = `such as crypto.getRandomValues(new Uint8Array(${KEY_BYTES}))`;
    throw new TypeError(`rounds.keys are one or more secrets of ${KEY_BYTES} bytes, ${advice}`);
  }
  if (redeem !== undefined && typeof redeem !== "function") {
    throw new TypeError("rounds.redeem is a function");
  }
}

function areKeys(keys: unknown): boolean {
  return Array.isArray(keys) && keys.length > 0 && keys.every(isKey);
}

function isKey(one: unknown): boolean {
  return one instanceof Uint8Array && one.length === KEY_BYTES;
}
