/** A name from another module. Using it in code imports it. */
export interface ImportedSymbol {
  readonly name: string;
  /** Module specifier. */
  readonly from: string;
  /** `type` and `typeNamespace` imports vanish at run time. */
  readonly kind: "value" | "type" | "namespace" | "typeNamespace";
}

/** `import { name } from "from"` */
export function importValue(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "value" };
}

/** `import type { name } from "from"` */
export function importType(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "type" };
}

/** `import * as name from "from"` */
export function importNamespace(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "namespace" };
}

/** `import type * as name from "from"` */
export function importTypeNamespace(name: string, from: string): ImportedSymbol {
  return { name, from, kind: "typeNamespace" };
}
