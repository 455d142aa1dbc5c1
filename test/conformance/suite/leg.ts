export type Side = "client" | "server";

/** Everything that the suite runs against one side at one revision. */
export interface Leg {
  readonly side: Side;
  readonly revision: string;
  /** Revisions that the server may negotiate; all when left out. */
  readonly only?: string;
  /** The revision that it agrees on with a client that opens with a handshake; the leg's when left out. */
  readonly agreed?: string;
  /** Number of instances behind a proxy that are tested together; one without a proxy when left out. */
  readonly instances?: number;
  /** Parameters of each call of the suite, beside those that all calls have. */
  readonly calls: readonly (readonly string[])[];
}

/** Names a leg in the output: `server 2025-06-18`, `server 2025-06-18 by 3`. */
export function legName(leg: Leg): string {
  const { instances } = leg;
  return instances === undefined ? recordName(leg) : `${recordName(leg)} by ${instances}`;
}

/** Names a leg in the records: several instances have to do what one does. */
export function recordName({ side, revision }: Leg): string {
  return `${side} ${revision}`;
}
