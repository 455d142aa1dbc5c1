const KEY_BYTES = 32;

/** Options for questions to the client inside results (MCP: multi round trips). */
export interface RoundsOptions {
  /**
   * Secrets, each 32 random bytes, that encrypt the state between rounds. The first one encrypts, and any of them can
   * decrypt. Use the same secrets at all instances, so that any instance can continue a request. To rotate them, first
   * append the new one, later move it to the front, and remove the old one after `timeToAnswer`. Default: a random
   * secret that only this process has.
   */
  readonly keys?: readonly Uint8Array[] | undefined;
  /** The time that a client may take to answer, in milliseconds. Default: one hour. */
  readonly timeToAnswer?: number | undefined;
  /** The maximum number of rounds per request. Default: 20. */
  readonly maxRounds?: number | undefined;
  /** The maximum length of the sealed state, in characters. Default: 65,536. */
  readonly maxStateLength?: number | undefined;
  /**
   * Records that a state between rounds has been used, so that it is accepted only once. Without it, a client can
   * repeat a request's last step until the state expires, so handlers must tolerate repetition. With it, a client that
   * loses the connection before it receives the response cannot repeat that step and has to start over.
   *
   * @param id - the id of a round
   * @param expires - the time until which the id has to be stored, in milliseconds since 1970
   * @returns true for the first call with an id, across all instances
   */
  readonly redeem?: ((id: string, expires: number) => boolean | Promise<boolean>) | undefined;
}

export function assertRounds(options: RoundsOptions = {}): void {
  const { keys, redeem, ...numbers } = options;
  for (const name of ["timeToAnswer", "maxRounds", "maxStateLength"] as const) {
    const value = numbers[name];
    if (value !== undefined && !(value > 0)) {
      throw new TypeError(`rounds.${name} must be a number above 0`);
    }
  }
  if (keys !== undefined && !areKeys(keys)) {
    const advice = `such as crypto.getRandomValues(new Uint8Array(${KEY_BYTES}))`;
    throw new TypeError(`rounds.keys must be one or more secrets of ${KEY_BYTES} bytes, ${advice}`);
  }
  if (redeem !== undefined && typeof redeem !== "function") {
    throw new TypeError("rounds.redeem must be a function");
  }
}

function areKeys(keys: unknown): boolean {
  return Array.isArray(keys) && keys.length > 0 && keys.every(isKey);
}

function isKey(one: unknown): boolean {
  return one instanceof Uint8Array && one.length === KEY_BYTES;
}
