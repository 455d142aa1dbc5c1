import type { KeepAlive } from "../../api/index.js";
import { LONGEST_DELAY } from "../../ground/index.js";
import { ConnectionClosedError, RequestTimeoutError } from "../../wire/index.js";
import type { Connection } from "./lifecycle.js";

/** Pings a connection at an interval until it is over, and closes it if no response arrives (MCP: ping). */
export function keepAlive(connection: Connection, options: KeepAlive): void {
  const { interval, timeout = Math.min(interval, 10_000) } = options;
  let isWaiting = false;
  const beat = async (): Promise<void> => {
    if (isWaiting || connection.isClosed || !connection.canAsk()) return;
    isWaiting = true;
    try {
      await ping(connection, timeout);
    } catch (error) {
      // Any response proves that the peer is alive, and a ping that was not sent proves nothing.
      if (error instanceof RequestTimeoutError) connection.closed(stale(error));
    } finally {
      isWaiting = false;
    }
  };
  const timer: unknown = setInterval(() => void beat(), Math.min(interval, LONGEST_DELAY));
  (timer as { unref?: () => void }).unref?.();
  void connection.finished.then(() => clearInterval(timer as number));
}

async function ping(connection: Connection, timeout: number): Promise<void> {
  const row = connection.binding.roles.get("ping");
  if (!row) return;
  const none = row.paramsOptional ? undefined : {};
  await connection.request(row.method, none, { timeout, maxTotalTimeout: timeout });
}

function stale(error: RequestTimeoutError): ConnectionClosedError {
  const text = `The peer does not respond to pings: ${error.message}`;
  return new ConnectionClosedError(text, { cause: error });
}
