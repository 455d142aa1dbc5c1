import { ConnectionClosedError, describeThrown } from "./errors.js";
import type { KeepAlive } from "./options.js";

/** What a keep-alive needs of its connection. */
export interface KeptAlive {
  readonly isClosed: boolean;
  canAsk(): boolean;
  ping(timeout: number): Promise<unknown>;
  closed(error: Error): void;
}

/**
 * Pings a connection at an interval, and ends it when no answer comes (MCP: ping). Gives a function that stops
 * it. Never keeps a process alive.
 */
export function keepAlive(connection: KeptAlive, options: KeepAlive): () => void {
  const { interval, timeout = Math.min(interval, 10_000) } = options;
  let isWaiting = false;
  const beat = async (): Promise<void> => {
    if (isWaiting || connection.isClosed || !connection.canAsk()) return;
    isWaiting = true;
    try {
      await connection.ping(timeout);
    } catch (error) {
      if (!connection.isClosed) connection.closed(stale(error));
    } finally {
      isWaiting = false;
    }
  };
  const timer: unknown = setInterval(() => void beat(), interval);
  (timer as { unref?: () => void }).unref?.();
  return () => clearInterval(timer as number);
}

function stale(error: unknown): ConnectionClosedError {
  const text = `The peer does not answer pings: ${describeThrown(error)}`;
  return new ConnectionClosedError(text, { cause: error });
}
