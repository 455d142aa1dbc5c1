export type Side = "client" | "server";

/** Everything that the suite runs against one side at one revision. */
export interface Leg {
  readonly side: Side;
  readonly revision: string;
  /** The revision that the server may negotiate; all revisions if omitted. */
  readonly only?: string;
  /**
   * The revision that the server agrees on with a client that opens with a handshake; the leg's revision if omitted.
   */
  readonly agreed?: string;
  /**
   * The number of instances behind a proxy that are tested together. If omitted, there is one instance without a proxy.
   */
  readonly instances?: number;
  /** The revision of the server behind the bridge, if the tested server is a bridge; no bridge if omitted. */
  readonly before?: string;
  /** The parameters of each call to the suite, in addition to those that all calls share. */
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

/** Names a leg in the records. Several instances, or a bridge, must do what one server does. */
export function recordName({ side, revision }: Leg): string {
  return `${side} ${revision}`;
}
