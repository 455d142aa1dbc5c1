import type { StatelessRequests } from "../../engine/index.js";
import type { LastingMethods } from "../../api/index.js";
import type { ParamHeader, Revision, Transport } from "../../wire/index.js";

/** A server for one connection. */
export interface Fork {
  connect(
    transport: Transport,
    options?: { readonly assume?: string; readonly opening?: unknown },
  ): Promise<void>;
  close(): Promise<void>;
  /**
   * Tells the client what its session may have missed while it was at no instance.
   * @param age - of the session, in milliseconds
   */
  catchUp?(age: number): Promise<void>;
  /** Methods of messages of a client that hold for as long as its session does, with those that undo them. */
  readonly lasting?: LastingMethods;
  /** Serves stateless requests, each with a way back of its own. */
  statelessRequests(): StatelessRequests;
  /** The arguments that a request repeats in header fields, which are compared then. */
  paramHeaders?(method: string, params: unknown): readonly ParamHeader[] | undefined;
}

/** Server as HTTP needs it; every generated one is such. */
export interface ServerInstance {
  /** The preferred one first. */
  readonly revisions: readonly Revision[];
  /** Makes another server of the same definition. */
  fork(): Fork;
}
