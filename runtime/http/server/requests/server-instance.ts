import type { LastingMethods } from "../../../api/index.js";
import type { StatelessRequests } from "../../../engine/index.js";
import type { Revision, Transport } from "../../../wire/index.js";
import type { ParamHeader } from "../../../wire/param-headers/index.js";
import { byKind, type ServedRevisions } from "./request-kinds.js";

/** A server for one connection. */
export interface Fork {
  connect(
    transport: Transport,
    options?: { readonly assume?: string; readonly opening?: unknown },
  ): Promise<void>;
  close(): Promise<void>;
  /**
   * Notifies the client of changes that its session may have missed while no instance held it.
   *
   * @param age - the session's age, in milliseconds
   */
  catchUp?(age: number): Promise<void>;
  /** The methods of client messages that take effect for the whole session, each with the method that reverts it. */
  readonly lasting?: LastingMethods;
  /** Loads the code for stateless requests; returns undefined if it has already been loaded. */
  loadStateless?(): Promise<void> | undefined;
  /** Returns the object that handles stateless requests, each with its own reply. */
  statelessRequests(): StatelessRequests;
  /** Returns the arguments that a request must mirror in header fields. The fields are compared with them. */
  paramHeaders?(method: string, params: unknown): readonly ParamHeader[] | undefined;
}

/** The members of a server that the HTTP handlers use. Every generated server has them. */
export interface ServerInstance {
  /** The supported revisions, in order of preference. */
  readonly revisions: readonly Revision[];
  /** Creates another server from the same definition. */
  fork(): Fork;
}

export function servedRevisions(server: ServerInstance): ServedRevisions {
  const { revisions, fork } = (server ?? {}) as Partial<ServerInstance>;
  if (!Array.isArray(revisions) || typeof fork !== "function") {
    throw new TypeError(
      "This handler needs a server, not a function that creates one: createHttpHandler(server)",
    );
  }
  return byKind(revisions);
}
