import type { Binding } from "./define/binding.js";
import {
  CapabilityError,
  type DeclaredCapabilities,
  type Method,
  type Side,
  dropUndeclared,
  missingCapability,
  missingForParams,
  quote,
} from "../wire/index.js";
import type { Admitted } from "./lifecycle.js";
import type { Outbound } from "./outbound.js";

/** Checks what is to be sent against what both sides have declared. */
export class Admission {
  readonly #side: Side;
  readonly #binding: Binding;
  readonly #declared: DeclaredCapabilities;
  /** Messages whose own capability is declared; what their parameters need is another matter. */
  #allowed: Set<Method> | undefined;

  constructor(side: Side, binding: Binding, peerCapabilities: unknown) {
    this.#side = side;
    this.#binding = binding;
    this.#declared =
      side === "client"
        ? { client: binding.capabilities, server: peerCapabilities }
        : { client: peerCapabilities, server: binding.capabilities };
  }

  /** @throws CapabilityError */
  check({ kind, method, params, custom }: Outbound): Admitted {
    const row = custom ?? sendable(this.#binding, this.#side, kind, method);
    const isAllowed = this.#allowed?.has(row) ?? false;
    if (isAllowed && !row.conditions) return { row, params };
    const missing =
      (isAllowed ? undefined : missingCapability(row, this.#side, this.#declared)) ??
      missingForParams(row, params, this.#side, this.#declared);
    if (missing !== undefined) throw undeclared(method, missing);
    if (!isAllowed) (this.#allowed ??= new Set()).add(row);
    return { row, params: dropUndeclared(row, params, this.#side, this.#declared) };
  }
}

/** @param missing - path of a capability, with whose it is */
export function undeclared(method: string, missing: string): CapabilityError {
  const text = `${method} was not sent: it needs the capability ${missing}, which is not declared`;
  return new CapabilityError(text, missing);
}

/** @throws CapabilityError when the revision has no such message for this side to send */
export function sendable(
  { outbound, revision }: Binding,
  side: Side,
  kind: Method["kind"],
  method: string,
): Method {
  const row = outbound.get(method);
  if (row?.kind === kind) return row;
  const where = revision ? ` in ${revision.id}` : "";
  throw new CapabilityError(`${quote(method)} is no ${kind} that a ${side} may send${where}`);
}
