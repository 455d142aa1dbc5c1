import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";

export type Kind = "constant" | "object" | "union" | "array" | "scalar";

export function kindOf(declaration: Declaration, shapes: Shapes): Kind {
  if (declaration.kind === "const") return "constant";
  if (shapes.named(declaration.name)) return "object";
  if (declaration.kind === "interface") return "object";
  if (shapes.arms(declaration.type).length > 1) return "union";
  return declaration.type.kind === "array" ? "array" : "scalar";
}
