import { namesIn } from "../../model/walk.js";
import type { OutputFile } from "../../plan/file-plan.js";
import type { ExtensionPlan } from "../../plan/extension-plan.js";
import { declarations } from "../declarations.js";
import { type Code, code, EMPTY, join } from "../printer/code.js";
import { identifier } from "../printer/identifier.js";
import { literal } from "../printer/literal.js";
import { printModule } from "../printer/module.js";
import { proseCodes } from "../prose-codes.js";
import { header } from "./header.js";

/** types.ts: what the extension declares; what it imports is imported from the package of the revision. */
export function emitTypes(plan: ExtensionPlan): OutputFile {
  const body = code`${imports(plan)}${declarations({ ...plan.protocol, shapes: plan.shapes })}${proseCodes(plan.protocol)}`;
  return { path: "types.ts", text: printModule(header(plan), body) };
}

function imports({ protocol, elsewhere, extendedPackage }: ExtensionPlan): Code {
  const needed = new Set(protocol.declarations.flatMap((declaration) => [...namesIn(declaration)]));
  const names = [...needed]
    .filter((name) => elsewhere.has(name))
    .map((name) => ({ here: name, there: elsewhere.get(name)! }))
    .toSorted((a, b) => (a.here < b.here ? -1 : 1))
    .map(({ here, there }) =>
      here === there ? identifier(here) : code`${identifier(there)} as ${identifier(here)}`,
    );
  if (names.length === 0) return EMPTY;
  const from = literal(`${extendedPackage}/types`);
  return code`import type { ${join(names, code`, `)} } from ${from};\n\n`;
}
