import type { CustomMessage, RequestOptions } from "../../api/index.js";
import {
  CapabilityError,
  type DeclaredCapabilities,
  type Method,
  type Side,
  concernsParams,
  missingCapability,
  missingForParams,
  openConditions,
  quote,
  withoutDropped,
} from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import type { RequestContext } from "../receive/request-context.js";
import type { PendingRequests, OutgoingRequest } from "./pending-request.js";

export interface Address {
  readonly kind: Method["kind"];
  readonly method: string;
  /** The row of a message that no revision defines. */
  readonly custom?: Method | undefined;
}

export interface Outbound extends Address {
  readonly params: unknown;
}

export function addressOf(kind: Method["kind"], message: string | CustomMessage): Address {
  return typeof message === "string"
    ? { kind, method: message }
    : { kind, method: message.row.method, custom: message.row };
}

export interface Admitted {
  readonly row: Method;
  /** The binding of a stateless message; absent if the message belongs to a session. */
  readonly stateless?: Binding | undefined;
  /**
   * Removes members that have no effect in this conversation from the projected parameters. Absent if there are no such
   * members.
   *
   * @throws CapabilityError if the parameters need a capability that has not been declared
   */
  readonly admit?: ((params: unknown) => unknown) | undefined;
  /**
   * Sends a request that takes several messages or has to be tracked. The returned promise's rejection need not be
   * handled.
   */
  readonly exchange?: RequestExchange | undefined;
}

export type RequestExchange = (
  requests: PendingRequests,
  request: OutgoingRequest,
  options: RequestOptions,
  during: RequestContext | undefined,
) => Promise<unknown>;

export function admission(
  side: Side,
  binding: Binding,
  peerCapabilities: unknown,
): (message: Address) => Admitted {
  const { capabilities } = binding;
  const declared: DeclaredCapabilities =
    side === "client"
      ? { client: capabilities, server: peerCapabilities }
      : { client: peerCapabilities, server: capabilities };
  return ({ kind, method, custom }) => {
    const row = custom ?? sendable(binding, side, kind, method);
    const missing = missingCapability(row, side, declared);
    if (missing !== undefined) throw undeclared(method, missing);
    const conditions = openConditions(row, side, declared);
    if (conditions.length === 0) return { row };
    const isConcerned = concernsParams(conditions);
    const admit = (params: unknown): unknown => {
      if (!isConcerned(params)) return params;
      const lacking = missingForParams(row, params, side, declared);
      if (lacking !== undefined) throw undeclared(method, lacking);
      return withoutDropped(conditions, params);
    };
    return { row, admit };
  };
}

export function undeclared(method: string, missing: string): CapabilityError {
  const text = `${method} was not sent: it needs the capability ${missing}, which is not declared`;
  return new CapabilityError(text, missing);
}

export function sendable(
  { outbound, revision }: Binding,
  side: Side,
  kind: Method["kind"],
  method: string,
): Method {
  const row = outbound.get(method);
  if (row?.kind === kind) return row;
  const where = revision ? ` in ${revision.id}` : "";
  throw new CapabilityError(`${quote(method)} is not a ${kind} that a ${side} may send${where}`);
}
