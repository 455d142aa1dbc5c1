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
  /** Revision of the server behind, if the tested server is a bridge; no bridge when left out. */
  readonly before?: string;
  /** Parameters of each call of the suite, beside those that all calls have. */
  readonly calls: readonly (readonly string[])[];
}

/** Names a leg in the output: `server 2025-06-18`, `server 2025-06-18 by 3`, `server 2025-06-18 before 2026-07-28`. */
export function legName(leg: Leg): string {
  const { instances, before } = leg;
  const how = [
    ...(instances === undefined ? [] : [`by ${instances}`]),
    ...(before === undefined ? [] : [`before ${before}`]),
  ];
  return [recordName(leg), ...how].join(" ");
}

/** Names a leg in the records: several instances, and a bridge, have to do what one server does. */
export function recordName({ side, revision }: Leg): string {
  return `${side} ${revision}`;
}
