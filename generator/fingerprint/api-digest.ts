import { canonicalObject, canonicalTags, canonicalType } from "../model/canonical.js";
import type { Declaration, SchemaModel } from "../model/schema-model.js";
import { sha256 } from "./sha256.js";

/** The constant that the digest ignores, because it differs between revisions by definition. */
const VERSION_CONSTANT = "LATEST_PROTOCOL_VERSION";

/**
 * Returns the digest of names and structures, as 64 hexadecimal digits. Comments, order and formatting are ignored.
 * The model must have no errors.
 */
export function apiDigest(model: Pick<SchemaModel, "declarations">): string {
  return sha256(apiLines(model).join("\n"));
}

function apiLines({ declarations }: Pick<SchemaModel, "declarations">): readonly string[] {
  const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
  return [...byName.keys()]
    .filter((name) => name !== VERSION_CONSTANT)
    .toSorted()
    .map((name) => apiLine(byName.get(name)!, byName));
}

function apiLine(declaration: Declaration, byName: ReadonlyMap<string, Declaration>): string {
  switch (declaration.kind) {
    case "const":
      return `const ${declaration.name}=${JSON.stringify(declaration.value)}`;
    case "alias": {
      const { name, type, constraints, doc } = declaration;
      return `type ${name}=${canonicalType(type, byName)}${canonicalTags(constraints, doc)}`;
    }
    case "interface": {
      const bases = declaration.extends.map((base) => canonicalType(base, byName)).toSorted();
      const shape = canonicalObject(declaration, byName);
      return `interface ${declaration.name} extends ${bases.join(",")} ${shape}`;
    }
  }
}
