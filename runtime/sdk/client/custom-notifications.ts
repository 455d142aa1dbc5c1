import type {
  Frame,
  Receiver,
  RequestId,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import type { Notification } from "../shared/index.js";
import { isCustom } from "../shared/internal/index.js";

/**
 * Transport that gives notifications which no revision has, and those of progress, to a listener: their handlers may be
 * set at any time.
 */
export class CustomNotifications implements RuntimeTransport {
  readonly #inner: RuntimeTransport;
  readonly #listener: (notification: Notification) => unknown;
  readonly #onerror: (error: Error) => void;

  constructor(
    inner: RuntimeTransport,
    listener: (notification: Notification) => unknown,
    onerror: (error: Error) => void,
  ) {
    this.#inner = inner;
    this.#listener = listener;
    this.#onerror = onerror;
  }

  get hooks(): RuntimeTransport["hooks"] {
    return this.#inner.hooks;
  }

  start(receiver: Receiver): void | Promise<void> {
    return this.#inner.start({
      message: (value, origin) => {
        if (isCustomNotification(value)) return void this.#hear(value);
        // A request may bring a token of its own, which is known to the program only.
        if (isProgress(value)) void this.#hear(value);
        receiver.message(value, origin);
      },
      malformed: (problem) => receiver.malformed(problem),
      failed: (id, error) => receiver.failed(id, error),
      ended: () => receiver.ended(),
      closed: (error) => receiver.closed(error),
    });
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }

  async #hear(notification: Notification): Promise<void> {
    try {
      await this.#listener(notification);
    } catch (error) {
      this.#onerror(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

function isProgress(value: unknown): value is Notification {
  return (value as { method?: unknown } | null)?.method === "notifications/progress";
}

function isCustomNotification(value: unknown): value is Notification {
  if (typeof value !== "object" || value === null || "id" in value) return false;
  const { method } = value as { method?: unknown };
  return typeof method === "string" && isCustom(method);
}
