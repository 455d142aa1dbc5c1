import type { Revision } from "../revision.js";
import type { Transport } from "../transport/transport.js";

/** A server for one connection. */
export interface Fork {
  connect(transport: Transport, options?: { readonly assume?: string }): Promise<void>;
  close(): Promise<void>;
}

/** What HTTP needs of a server; every generated one has it. */
export interface Forkable {
  /** The preferred one first. */
  readonly revisions: readonly Revision[];
  /** Makes another server of the same definition. */
  fork(): Fork;
}
