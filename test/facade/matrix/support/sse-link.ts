import { eventsOf } from "./event-stream.js";
import type { Hear, Link, Wire } from "./link.js";

/** HTTP+SSE: all messages arrive on one stream. */
export class SseLink implements Link {
  readonly wire = "sse";
  readonly #url: string;
  readonly #closing = new AbortController();
  #endpoint = "";

  constructor(url: string) {
    this.#url = url;
  }

  async open(receive: Hear): Promise<void> {
    const headers = { Accept: "text/event-stream" };
    const response = await fetch(this.#url, { headers, signal: this.#closing.signal });
    const events = eventsOf(response);
    const { value } = await events.next();
    this.#endpoint = new URL(value.data, this.#url).href;
    void (async () => {
      try {
        for await (const { data } of events) receive(JSON.parse(data), { on: "stream" });
      } catch (error) {
        if ((error as Error).name !== "AbortError") throw error;
      }
    })();
  }

  async say(message: Wire): Promise<void> {
    const response = await fetch(this.#endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
      signal: this.#closing.signal,
    });
    if (response.status !== 202) throw new Error(`Refused: ${response.status}`);
    await response.text();
  }

  close(): void {
    this.#closing.abort();
  }
}
