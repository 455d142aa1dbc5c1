export type Side = "client" | "server";

/** Everything that the suite runs against one side at one revision. */
export interface Leg {
  readonly side: Side;
  readonly revision: string;
  /** Revisions that the server may negotiate; all when left out. */
  readonly only?: string;
  /** The revision that it agrees on with a client that opens with a handshake; the leg's when left out. */
  readonly agreed?: string;
  /** Parameters of each call of the suite, beside those that all calls have. */
  readonly calls: readonly (readonly string[])[];
}

/** Names a leg in the records: `server 2025-06-18`. */
export function legName({ side, revision }: Leg): string {
  return `${side} ${revision}`;
}
