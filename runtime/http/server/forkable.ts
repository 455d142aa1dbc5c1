import type { ParamHeader, Revision, Transport } from "../../wire/index.js";

/** A server for one connection. */
export interface Fork {
  connect(transport: Transport, options?: { readonly assume?: string }): Promise<void>;
  close(): Promise<void>;
  /** The arguments that a request repeats in header fields, which are compared then. */
  paramHeaders?(method: string, params: unknown): readonly ParamHeader[] | undefined;
}

/** Operations that HTTP needs of a server; every generated server has them. */
export interface Forkable {
  /** The preferred one first. */
  readonly revisions: readonly Revision[];
  /** Makes another server of the same definition. */
  fork(): Fork;
}
