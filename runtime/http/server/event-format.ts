/** Formats a message as a server-sent event. JSON text never contains a line break. */
export function formatEvent(json: string, id?: string): string {
  return id === undefined ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`;
}

/** Empty event that only carries an id to resume from (MCP: Streamable HTTP, priming event). */
export function formatPriming(id: string, retry: number): string {
  return `id: ${id}\nretry: ${retry}\ndata: \n\n`;
}

/** Tells the client to wait so many milliseconds before it comes back. */
export function formatRetry(retry: number): string {
  return `retry: ${retry}\n\n`;
}

/** Keeps a connection busy, so that nothing between the two sides takes it for dead. */
export const KEEP_ALIVE = ": \n\n";

/** Id of one event in a session's streams. */
export interface EventId {
  readonly stream: string;
  /** Counts the events of its stream, from 1; 0 stands for its beginning. */
  readonly index: number;
}

export function formatEventId(stream: string, index: number): string {
  return `${stream}_${index.toString(36)}`;
}

/** Reads a `Last-Event-ID`; undefined for what {@link formatEventId} never wrote. */
export function parseEventId(text: string): EventId | undefined {
  const [, stream, index] = /^([0-9a-z]{1,24})_(0|[1-9a-z][0-9a-z]{0,8})$/.exec(text) ?? [];
  if (stream === undefined || index === undefined) return undefined;
  return { stream, index: Number.parseInt(index, 36) };
}
