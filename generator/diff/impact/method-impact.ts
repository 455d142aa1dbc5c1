import type { Aspect, MethodChange } from "../protocol-diff.js";
import {
  BOTH,
  changeFor,
  deprecatedChange,
  otherSide,
  type ProtocolChange,
  type Side,
  sidesOf,
} from "./protocol-change.js";

export interface Gates {
  readonly isGated: boolean;
  /** True if new conditions apply to messages that were previously valid. */
  readonly isBinding: boolean;
}

/** Classifies the changes to a method, except changes to its parameters and results, which are compared by type. */
export function methodImpact(change: MethodChange, gates: Gates): readonly ProtocolChange[] {
  const { method, kind, direction } = change;
  const senders = sendersOf(direction);
  const receivers = senders.map(otherSide);
  switch (change.change) {
    case "added": {
      // A side that has not declared the capability does not receive the request.
      const isExpected = kind === "request" && !gates.isGated;
      const message = `new ${kind} from ${direction}`;
      const detail = { kind: "added", senders } as const;
      return [changeFor(isExpected ? receivers : [], method, "", message, detail)];
    }
    case "removed": {
      const sides = kind === "request" ? senders : receivers;
      const detail = { kind: "removed", senders } as const;
      return [changeFor(sides, method, "", `the ${kind} is gone`, detail)];
    }
    case "changed":
      return change.aspects.flatMap((aspect) => aspectImpact(change, gates, aspect));
  }
}

function aspectImpact(
  { method, kind, direction }: MethodChange,
  { isBinding }: Gates,
  { aspect, from, to }: Aspect,
): readonly ProtocolChange[] {
  const senders = sendersOf(direction);
  const message = `${aspect}: ${from || "none"} -> ${to || "none"}`;
  const change = (sides: readonly Side[]): readonly ProtocolChange[] => [
    changeFor(sides, method, "", message, { kind: aspect, senders, to }),
  ];
  switch (aspect) {
    case "type":
    case "params":
    case "result":
    // The transport builds envelopes, so a change to one affects the code of neither side.
    case "envelope":
      return [];
    case "direction":
      return change(directionSides(kind, from, to));
    case "params optional":
      return change(to === "required" ? senders : senders.map(otherSide));
    case "capability":
      return change(to === "none" ? [] : BOTH);
    case "conditions":
      return change(isBinding ? senders : []);
    case "paginated":
      return change(to === "true" ? senders : []);
    case "name header":
    case "param headers":
      return change(to === "none" ? [] : senders);
    case "cacheable":
      return change([]);
    case "deprecated":
      return to === "true" ? [deprecatedChange(method, "")] : [];
  }
}

/**
 * Returns the sides affected by a change of sender: previous senders must stop sending, and the receivers of a request
 * from a new sender must respond. A change of channel affects both sides.
 */
function directionSides(kind: MethodChange["kind"], from: string, to: string): readonly Side[] {
  if (from.includes("embedded") !== to.includes("embedded")) return BOTH;
  const [old, next] = [sendersOf(from), sendersOf(to)];
  const stopped = old.filter((side) => !next.includes(side));
  const started = kind === "request" ? next.filter((side) => !old.includes(side)) : [];
  return [...stopped, ...started.map(otherSide)];
}

function sendersOf(direction: string): readonly Side[] {
  return sidesOf(direction.split(",")[0] as Side | "both");
}
