import type { Protocol } from "../link/protocol.js";
import type { ConstantChange } from "./protocol-diff.js";

/** Constants and prose-only codes that were added, removed or changed. */
export function constantChanges(before: Protocol, after: Protocol): ConstantChange[] {
  const [old, now] = [constants(before), constants(after)];
  const gone = [...old].flatMap(([name, { value, origin }]): ConstantChange[] => {
    const other = now.get(name);
    if (other?.value === value) return [];
    return [
      { name, from: value, ...(other && { to: other.value }), origin: other?.origin ?? origin },
    ];
  });
  const come = [...now].flatMap(([name, { value, origin }]): ConstantChange[] =>
    old.has(name) ? [] : [{ name, to: value, origin }],
  );
  return [...gone, ...come];
}

interface Constant {
  readonly value: string | number;
  readonly origin: ConstantChange["origin"];
}

function constants({ declarations, errorCodes }: Protocol): Map<string, Constant> {
  const all = new Map<string, Constant>();
  for (const declaration of declarations) {
    if (declaration.kind !== "const") continue;
    all.set(declaration.name, { value: declaration.value, origin: "schema" });
  }
  for (const { name, code, origin } of errorCodes) {
    if (origin === "prose") all.set(name, { value: code, origin });
  }
  return all;
}
