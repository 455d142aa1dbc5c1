/** Start of scripts that need the time: `now`, in milliseconds, by the clock of Redis. */
export const NOW = `
local now = redis.call('TIME')
now = now[1] * 1000 + math.floor(now[2] / 1000)
`;

/** Program that Redis runs in one step. It touches the keys that it is given, which are all in one slot. */
export class Script {
  readonly text: string;
  #digest: Promise<string> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** SHA-1 of the text, in hexadecimal digits: the name under which Redis knows the script once it has run. */
  get digest(): Promise<string> {
    this.#digest ??= digestOf(this.text);
    return this.#digest;
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
