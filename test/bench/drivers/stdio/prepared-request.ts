/** The first id. All ids have the same number of digits, so that one can be written over another. */
const FIRST_ID = 10_000_000;
const DIGITS = 8;

/** A request as bytes, repeated many times. Sending some of them costs only a copy and the writing of their ids. */
export class PreparedRequest {
  readonly #block: Buffer;
  readonly #length: number;
  readonly #idOffset: number;

  constructor(method: string, params: object, atOnce: number) {
    const line = `${JSON.stringify({ jsonrpc: "2.0", id: FIRST_ID, method, params })}\n`;
    const one = Buffer.from(line);
    this.#length = one.length;
    this.#idOffset = one.indexOf(String(FIRST_ID));
    this.#block = Buffer.concat(Array.from({ length: atOnce }, () => one));
  }

  /**
   * Returns the bytes of some requests.
   *
   * @param first - number of the first request, from which `idOf` makes an id
   */
  take(count: number, first: number): Buffer {
    const bytes = Buffer.from(this.#block.subarray(0, count * this.#length));
    for (let index = 0; index < count; index++)
      writeId(bytes, index * this.#length + this.#idOffset, idOf(first + index));
    return bytes;
  }
}

export function idOf(number: number): number {
  return FIRST_ID + number;
}

function writeId(bytes: Buffer, offset: number, id: number): void {
  for (let digit = DIGITS - 1, rest = id; digit >= 0; digit--, rest = Math.floor(rest / 10))
    bytes[offset + digit] = 48 + (rest % 10);
}
