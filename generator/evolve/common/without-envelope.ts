import type { Protocol } from "../../link/protocol.js";
import type { Declaration, TypeExpression } from "../../model/schema-model.js";

/**
 * Removes `jsonrpc` and `id` from requests and notifications: they extend the bases of the JSON-RPC message instead
 * of the message itself.
 */
export function withoutEnvelope({ declarations, envelope }: Protocol): Declaration[] {
  const bases = new Map<string, readonly TypeExpression[]>();
  for (const declaration of declarations) {
    const isMessage = [envelope.request, envelope.notification].includes(declaration.name);
    if (isMessage && declaration.kind === "interface" && declaration.extends.length > 0) {
      bases.set(declaration.name, declaration.extends);
    }
  }
  return declarations.map((declaration) => {
    if (declaration.kind !== "interface") return declaration;
    const heritage = declaration.extends.flatMap(
      (base) => (base.kind === "reference" && bases.get(base.name)) || [base],
    );
    return { ...declaration, extends: heritage };
  });
}
