import type { Conventions, Traits } from "../../link/protocol.js";
import type { ProtocolDiff, ValueChange } from "../protocol-diff.js";
import {
  BOTH,
  changeFor,
  deprecatedChange,
  type ProtocolChange,
  type Side,
} from "./protocol-change.js";

/** The sides that are affected when a flag is set (`on`) or cleared (`off`). */
interface Flag {
  readonly on: readonly Side[];
  readonly off: readonly Side[];
}

const NOBODY: readonly Side[] = [];

/**
 * The sides affected by a change to each trait, or `types` if changes to members and methods already cover the change
 * or nothing changes on the wire.
 */
const TRAITS: Readonly<Record<keyof Traits, readonly Side[] | "types">> = {
  lifecycle: BOTH,
  serverRequests: BOTH,
  batching: BOTH,
  envelope: "types",
  requestMeta: "types",
  resultType: "types",
  cacheable: "types",
  errorId: BOTH,
  tasks: "types",
  progressMessage: "types",
};

const CONVENTIONS: Readonly<Record<keyof Conventions, readonly Side[] | Flag>> = {
  http: BOTH,
  versionHeader: { on: ["client"], off: NOBODY },
  polling: { on: ["client"], off: ["server"] },
  toolInputErrors: BOTH,
  methodHeaders: { on: ["client"], off: NOBODY },
  errorStatuses: BOTH,
  reservedErrors: BOTH,
  fallbackStatuses: ["client"],
};

export function statedChanges(diff: ProtocolDiff): readonly ProtocolChange[] {
  const traits = diff.traits.flatMap((change) => {
    const sides = TRAITS[change.name as keyof Traits];
    return sides === "types" ? [] : [valueChange(change, sides)];
  });
  const conventions = diff.conventions.map((change) => {
    const concern = CONVENTIONS[change.name as keyof Conventions];
    const isFlag = "on" in concern;
    return valueChange(change, isFlag ? concern[change.to === "true" ? "on" : "off"] : concern);
  });
  const deprecated = diff.deprecated.map((place): ProtocolChange => {
    const [name, ...path] = place.split(".");
    const pointer = path.map((step) => `/${step}`).join("");
    return deprecatedChange(name!, pointer);
  });
  return [...traits, ...conventions, ...constants(diff), ...deprecated];
}

function valueChange({ name, from, to }: ValueChange, sides: readonly Side[]): ProtocolChange {
  const detail = { kind: "value", senders: [], to } as const;
  return changeFor(sides, name, "", `${from || "none"} -> ${to || "none"}`, detail);
}

function constants({ constants: changes }: ProtocolDiff): readonly ProtocolChange[] {
  return changes.flatMap(({ name, from, to }) => {
    // The constant is the revision's id, which always differs.
    if (/^\d{4}-\d\d-\d\d$/.test(String(from)) && to !== undefined) return [];
    const message =
      from === undefined
        ? `new, ${to}`
        : to === undefined
          ? `is gone, was ${from}`
          : `${from} -> ${to}`;
    const now = to === undefined ? {} : { to: String(to) };
    const detail = { kind: "constant", senders: [], ...now } as const;
    return [changeFor(from === undefined ? NOBODY : BOTH, name, "", message, detail)];
  });
}
