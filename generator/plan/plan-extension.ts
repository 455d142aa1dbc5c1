import type { Diagnostics } from "../diagnostics.js";
import type { Method, Protocol } from "../link/protocol.js";
import { Shapes } from "../model/shape.js";
import type { Invocation } from "./command-line.js";
import { isExtensionId, packageOfExtension } from "./ids.js";
import type { ExtensionPlan, MessageConstant } from "./extension-plan.js";
import {
  refuseDeclarations,
  refuseExtensionId,
  refuseForeignMethods,
  refuseMethods,
} from "./refusals.js";

export interface ExtensionPlanOptions {
  readonly id: string;
  readonly extended: Protocol;
  readonly facts?: string;
  /** The name of a bundled extension. Its schema does not contain this name. */
  readonly bundled?: string;
  readonly file: string;
  readonly version: string;
  readonly isVendored?: boolean;
  readonly runtime: string;
  readonly invocation?: Invocation;
}

const TAKEN = ["customRequest", "customNotification", "extension"];

export function planExtension(
  linked: Protocol,
  {
    id,
    extended,
    file,
    facts,
    bundled,
    version,
    isVendored = false,
    runtime,
    invocation = {},
  }: ExtensionPlanOptions,
  diagnostics: Diagnostics,
): ExtensionPlan {
  const { declarations } = linked;
  const own = declarations.filter(({ imported }) => !imported);
  const protocol = { ...linked, declarations: own };
  const report = { diagnostics, file };
  if (!isExtensionId(id)) refuseExtensionId(id, report);
  refuseDeclarations(protocol, report);
  refuseMethods(protocol, report);
  refuseForeignMethods(protocol, extended, report);
  return {
    id,
    packageName: packageOfExtension(id),
    version,
    isVendored,
    runtime,
    protocol,
    invocation,
    bundled,
    facts: facts?.split(/[\\/]/).at(-1),
    extended,
    extendedPackage: `@mcp-codegen/${extended.revision}`,
    declarations,
    shapes: new Shapes([...extended.declarations, ...declarations]),
    elsewhere: namesElsewhere(linked, extended),
    messages: constants(
      protocol.methods,
      own.map(({ name }) => name),
    ),
  };
}

function namesElsewhere(
  { declarations, synthesized }: Protocol,
  extended: Protocol,
): Map<string, string> {
  const names = [...extended.declarations, ...extended.synthesized].map(({ name }) => name);
  const elsewhere = new Map(names.map((name) => [name, name]));
  for (const { name, imported } of declarations) {
    if (imported) elsewhere.set(name, imported.name);
    else elsewhere.delete(name);
  }
  for (const { name } of synthesized) elsewhere.delete(name);
  return elsewhere;
}

/**
 * Names the constants for messages, such as `findPlaceRequest` for `FindPlaceRequest`. The suffix distinguishes
 * requests from notifications.
 */
function constants(methods: readonly Method[], types: readonly string[]): MessageConstant[] {
  const taken = new Set([...TAKEN, ...types]);
  return methods.map((method) => {
    let name = method.type.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
    while (taken.has(name)) name += "_";
    taken.add(name);
    return { name, method };
  });
}
