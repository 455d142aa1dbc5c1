import type { Protocol } from "../../link/protocol.js";
import { namesIn } from "../../model/walk.js";
import type { Use } from "./reference.js";

/** Places where the types of a revision occur, by type. */
export function usesOf({
  declarations,
  methods,
  errorCodes,
}: Protocol): ReadonlyMap<string, readonly Use[]> {
  const found = new Map<string, Use[]>();
  const add = (type: string, use: Use): void => {
    const known = found.get(type) ?? [];
    found.set(type, known);
    const isKnown = known.some(({ name, kind }) => name === use.name && kind === use.kind);
    if (!isKnown && type !== use.name) known.push(use);
  };
  for (const { method, type, params, result } of methods) {
    add(type, { name: method, kind: "params" });
    if (params) add(params.type, { name: method, kind: "params" });
    const results = result ? [result, ...result.alternatives] : [];
    for (const one of results) add(one.type, { name: method, kind: "result" });
  }
  for (const { name, type } of errorCodes)
    if (type !== undefined) add(type, { name, kind: "error" });
  for (const declaration of declarations) {
    for (const name of namesIn(declaration)) add(name, { name: declaration.name, kind: "type" });
  }
  return found;
}
