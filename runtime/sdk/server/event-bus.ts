import type { Definition } from "./connection.js";

/** Change notifications for subscribers. */
export type ServerEvent =
  | { kind: "tools_list_changed" }
  | { kind: "prompts_list_changed" }
  | { kind: "resources_list_changed" }
  | { kind: "resource_updated"; uri: string };

/** Distributes change notifications to the instances of a server. */
export interface ServerEventBus {
  publish(event: ServerEvent): void;
  /** @returns a function that removes the listener */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** Notifies subscribers of a change. */
export interface ServerNotifier {
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
}

/** A bus within this process. */
export class InMemoryServerEventBus implements ServerEventBus {
  private readonly _listeners = new Set<(event: ServerEvent) => void>();
  private readonly _report: ((error: Error) => void) | undefined;

  /** @param onerror - called with errors that listeners throw */
  constructor(onerror?: (error: Error) => void) {
    this._report = onerror;
  }

  get listenerCount(): number {
    return this._listeners.size;
  }

  publish(event: ServerEvent): void {
    for (const listener of this._listeners) {
      try {
        listener(event);
      } catch (error) {
        this._report?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const own = (event: ServerEvent): void => listener(event);
    this._listeners.add(own);
    return () => this._listeners.delete(own);
  }
}

/** Publishes by name. */
export function notifierOf(bus: ServerEventBus): ServerNotifier {
  return {
    toolsChanged: () => bus.publish({ kind: "tools_list_changed" }),
    promptsChanged: () => bus.publish({ kind: "prompts_list_changed" }),
    resourcesChanged: () => bus.publish({ kind: "resources_list_changed" }),
    resourceUpdated: (uri) => bus.publish({ kind: "resource_updated", uri }),
  };
}

/** Notifies the subscribers of a definition of published events. */
export function relay(event: ServerEvent, definition: Definition): void {
  switch (event.kind) {
    case "tools_list_changed":
      return definition.notify.toolsChanged();
    case "prompts_list_changed":
      return definition.notify.promptsChanged();
    case "resources_list_changed":
      return definition.notify.resourcesChanged();
    case "resource_updated":
      return definition.resourceUpdated(event.uri);
  }
}
