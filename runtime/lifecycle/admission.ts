import type { Binding } from "../binding.js";
import { type Declared, dropUndeclared, missingCapability } from "../capabilities.js";
import { CapabilityError } from "../errors.js";
import { quote } from "../jsonrpc.js";
import type { Method, Side } from "../revision.js";
import type { Admitted, Outbound } from "./lifecycle.js";

/** Checks what is to be sent against what both sides have declared. */
export class Admission {
  readonly #side: Side;
  readonly #binding: Binding;
  readonly #declared: Declared;
  /** Messages that need nothing that depends on their parameters, and were allowed once. */
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
    if (this.#allowed?.has(row)) return { row, params };
    const missing = missingCapability(row, params, this.#side, this.#declared);
    if (missing !== undefined) {
      const text = `${method} was not sent: it needs the capability ${missing}, which is not declared`;
      throw new CapabilityError(text, missing);
    }
    if (!row.conditions) (this.#allowed ??= new Set()).add(row);
    return { row, params: dropUndeclared(row, params, this.#side, this.#declared) };
  }
}

/** @throws CapabilityError when the revision has no such message for this side to send */
function sendable(
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
