import { afterEach } from "vitest";
import { Client, type ClientHandlers } from "../../../../generated/2025-11-25/index.js";
import {
  type HttpClientOptions,
  HttpClientTransport,
} from "../../../../runtime/http/client/index.js";
import type { RawServer } from "./raw-server.js";

export interface Fixture {
  readonly client: Client;
  readonly transport: HttpClientTransport;
  /** Errors that `onerror` received. */
  readonly errors: Error[];
}

/** Functions that close things after each test, in reverse order. */
const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

export function closeAfter<T extends { close?(): Promise<void>; stop?(): Promise<void> }>(
  it: T,
): T {
  open.push(async () => (it.close ?? it.stop)?.call(it));
  return it;
}

/** Creates a client that is not connected yet. */
export function fixture(
  { url }: Pick<RawServer, "url">,
  options: HttpClientOptions = {},
  handlers: ClientHandlers = {},
): Fixture {
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  const client = closeAfter(new Client({ name: "ours", version: "1.0.0" }, handlers, { onerror }));
  const reconnect = { initialDelay: 20, maxDelay: 100, ...options.reconnect };
  const transport = new HttpClientTransport(url, { ...options, reconnect });
  return { client, transport, errors };
}

export async function connected(...given: Parameters<typeof fixture>): Promise<Fixture> {
  const made = fixture(...given);
  await made.client.connect(made.transport);
  return made;
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}
