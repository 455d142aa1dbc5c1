import type { AdaptedEventStore } from "../event-store.js";

const LAST_EVENT = "last-event-id";

/** Matches the line with an event's id and, if present, the beginning of its message. */
const ID_LINE = /^id: (.*)(\ndata: \{)?/gm;

/** Matches an event without data, which the SDK sends only on streams that respond to POST requests. */
const PRIMING = /^id: .*\nretry: \d+\ndata: \n\n/gm;

/** The event streams of one session, whose clients receive the ids assigned by the program's store. */
export class StoredStreams {
  readonly #store: AdaptedEventStore;
  #close: (() => void) | undefined;

  constructor(store: AdaptedEventStore) {
    this.#store = store;
  }

  request(request: Request): Request {
    const id = request.headers.get(LAST_EVENT);
    const native = id === null ? undefined : this.#store.nativeOf(id);
    if (native === undefined) return request;
    const headers = new Headers(request.headers);
    headers.set(LAST_EVENT, native);
    return new Request(request, { headers });
  }

  response(request: Request, response: Response): Response {
    const { body, status, headers } = response;
    if (body === null || !headers.get("content-type")?.startsWith("text/event-stream"))
      return response;
    const isGet = request.method === "GET";
    const own = this.#withIds(body, isGet);
    const isStandalone = isGet && !request.headers.has(LAST_EVENT);
    return new Response(isStandalone ? this.#closable(own) : own, { status, headers });
  }

  /** Ends the stream for messages that do not belong to a request. The client then opens another one. */
  closeStandalone(): void {
    this.#close?.();
    this.#close = undefined;
  }

  #withIds(body: ReadableStream<Uint8Array>, dropsPriming: boolean): ReadableStream<Uint8Array> {
    let rest = "";
    const lines = new TransformStream<string, string>({
      transform: async (chunk, controller) => {
        const text = rest + chunk;
        const end = text.lastIndexOf("\n") + 1;
        rest = text.slice(end);
        const whole = text.slice(0, end);
        const own = await this.#replaced(dropsPriming ? whole.replaceAll(PRIMING, "") : whole);
        if (own !== "") controller.enqueue(own);
      },
    });
    return body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(lines)
      .pipeThrough(new TextEncoderStream());
  }

  /**
   * Replaces the event ids in the text with the store's ids, and removes the ids of events that the store has not
   * saved.
   */
  async #replaced(text: string): Promise<string> {
    const ids = new Map<string, string | undefined>();
    for (const [, native] of text.matchAll(ID_LINE))
      ids.set(native!, await this.#store.idOf(native!));
    return text.replaceAll(ID_LINE, (_, native: string, message = "") => {
      const id = ids.get(native);
      const name = message === "" ? "" : "event: message\n";
      return id === undefined ? `:${message}` : `${name}id: ${id}${message}`;
    });
  }

  #closable(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const ending = new AbortController();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    body
      .pipeTo(writable, { signal: ending.signal, preventAbort: true })
      .catch(() => writable.close())
      .catch(() => {});
    this.#close = () => ending.abort();
    return readable;
  }
}
