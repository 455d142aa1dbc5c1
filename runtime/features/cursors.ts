import { fromBase64Url, toBase64Url } from "../ground/index.js";
import { INVALID_PARAMS, RpcError } from "../wire/index.js";

export interface CursorsOptions {
  /**
   * The secret used to sign cursors, at least 32 bytes long. Pass the same secret to all instances of a server.
   * Default: a random one, so that only this object can open its cursors.
   */
  readonly key?: Uint8Array | undefined;
}

/** The position in a list at which a page ends. */
export interface Position {
  /** The number of items on the pages so far. */
  readonly index: number;
  /** The key of the last item. Absent if it is longer than 256 UTF-16 units. */
  readonly after?: string | undefined;
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; absent on the last page. */
  readonly nextCursor?: string;
}

export interface PageRequest<Item> {
  /** Identifies the list, such as `tools/list`. Include the peer if the list depends on it. */
  readonly list: string;
  /** All items currently in the list. */
  readonly items: readonly Item[];
  /** Returns a key that identifies an item in the list. */
  readonly keyOf: (item: Item) => string;
  /** The maximum number of items on a page, at least 1. Default: no limit. */
  readonly pageSize?: number | undefined;
  /** The cursor that the peer sent; absent for the first page. */
  readonly cursor?: string | undefined;
}

/**
 * The maximum length of a key in a cursor, in UTF-16 units. Longer keys are omitted, because clients have to carry
 * them.
 */
const MAX_KEY = 256;
/**
 * The maximum length of a cursor that {@link Cursors.open} accepts, in characters. Cursors from `seal` have at most
 * about 2100: each of a key's 256 UTF-16 units takes up to six bytes as JSON, or eight characters as base64.
 */
const MAX_CURSOR = 4096;
const MAC_BYTES = 32;
/** The length of a base64url-encoded signature, in characters. */
const MAC_LENGTH = 43;
const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

/**
 * Signed cursors for lists. They are opaque to the client, cannot be forged, and are valid only for the list they were
 * created for (MCP: pagination). The server does not have to store anything for them.
 */
export class Cursors {
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #key: Promise<CryptoKey> | undefined;

  /** @throws TypeError if the key is shorter than 32 bytes */
  constructor({ key }: CursorsOptions = {}) {
    if (key && key.length < MAC_BYTES) {
      throw new TypeError(
        `A key for cursors must have at least ${MAC_BYTES} bytes, not ${key.length}`,
      );
    }
    this.#bytes = key && new Uint8Array(key);
  }

  /**
   * Returns one page of a list. The page starts after the last item of the previous page, or at the same position if
   * that item is gone or its key is very long. The result is a promise only if a cursor is received or created.
   *
   * @throws RpcError -32602 if the cursor does not belong to this list
   */
  paginate<Item>(request: PageRequest<Item>): Page<Item> | Promise<Page<Item>> {
    const { items, cursor, pageSize = Infinity } = request;
    if (cursor === undefined && items.length <= pageSize) return { items };
    return this.#page(request, pageSize);
  }

  /** Creates a cursor for a list position. */
  async seal(list: string, { index, after }: Position): Promise<string> {
    const isShort = after !== undefined && after.length <= MAX_KEY;
    return this.#seal([list], JSON.stringify(isShort ? [index, after] : [index]));
  }

  /** Creates a cursor from a string of any length. A gateway uses this to wrap another server's cursor. */
  async sealText(list: string, text: string): Promise<string> {
    return this.#seal(list, text);
  }

  async #seal(purpose: Purpose, text: string): Promise<string> {
    const payload = toBase64Url(encode(text));
    const mac = await crypto.subtle.sign(ALGORITHM, await this.#secret(), signed(purpose, payload));
    return toBase64Url(new Uint8Array(mac)) + payload;
  }

  /**
   * Returns a cursor's position.
   *
   * @throws RpcError -32602 if {@link seal} did not create the cursor for this list
   */
  async open(list: string, cursor: string): Promise<Position> {
    if (cursor.length > MAX_CURSOR) throw invalidCursor();
    const [index, after] = JSON.parse(await this.#open([list], cursor)) as [number, string?];
    return { index, after };
  }

  /**
   * Returns the string inside a cursor.
   *
   * @throws RpcError -32602 if {@link sealText} did not create the cursor for this list
   */
  async openText(list: string, cursor: string): Promise<string> {
    return this.#open(list, cursor);
  }

  async #open(purpose: Purpose, cursor: string): Promise<string> {
    const mac = fromBase64Url(cursor.slice(0, MAC_LENGTH));
    const payload = cursor.slice(MAC_LENGTH);
    if (mac === undefined) throw invalidCursor();
    const data = signed(purpose, payload);
    const isGenuine = await crypto.subtle.verify(ALGORITHM, await this.#secret(), mac, data);
    if (!isGenuine) throw invalidCursor();
    return new TextDecoder().decode(fromBase64Url(payload));
  }

  async #page<Item>(request: PageRequest<Item>, pageSize: number): Promise<Page<Item>> {
    const { list, items, keyOf, cursor } = request;
    const start =
      cursor === undefined ? 0 : startAfter(await this.open(list, cursor), items, keyOf);
    const end = Math.min(start + pageSize, items.length);
    const page = items.slice(start, end);
    const last = page.at(-1);
    if (last === undefined || end === items.length) return { items: page };
    const nextCursor = await this.seal(list, { index: end, after: keyOf(last) });
    return { items: page, nextCursor };
  }

  /**
   * Returns the key that signs cursors. It is created on first use, because on some platforms randomness is not
   * available before a request arrives.
   */
  #secret(): Promise<CryptoKey> {
    this.#bytes ??= crypto.getRandomValues(new Uint8Array(MAC_BYTES));
    const uses = ["sign", "verify"] as const;
    return (this.#key ??= crypto.subtle.importKey("raw", this.#bytes, ALGORITHM, false, uses));
  }
}

function startAfter<Item>(
  { index, after }: Position,
  items: readonly Item[],
  keyOf: (item: Item) => string,
): number {
  const last = items[index - 1];
  if (after === undefined || (last !== undefined && keyOf(last) === after)) return index;
  const found = items.findIndex((item) => keyOf(item) === after);
  return found < 0 ? index : found + 1;
}

function invalidCursor(): RpcError {
  const advice = "it was not issued for this list; start again without a cursor";
  return new RpcError(INVALID_PARAMS, `Invalid params: /cursor: ${advice}`);
}

/**
 * The list that a cursor is for. For a position, the name is in brackets, so that a string chosen by another server is
 * never taken for one.
 */
type Purpose = string | readonly [list: string];

function signed(purpose: Purpose, payload: string): Uint8Array<ArrayBuffer> {
  return encode(JSON.stringify(purpose) + payload);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
