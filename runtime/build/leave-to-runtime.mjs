import { dirname, join } from "node:path";

/**
 * Makes a part import from the runtime what the runtime has too, so that each class exists once. Copies of stdio
 * are the exception: what others import of the runtime must not lead to Node.
 *
 * @param modules - of which the runtime consists, modules or declarations
 */
export function leaveToRuntime(modules) {
  const handler = (source, importer) => {
    if (importer === undefined || !source.startsWith(".")) return null;
    const path = join(dirname(importer), source);
    if (STDIO.test(path)) return null;
    if (modules.has(path)) return { id: "@mcp-codegen/runtime/internal", external: true };
    if (modules.has(path.replace(/\.js$/, ".d.ts")))
      return { id: documentedIn(path), external: true };
    return null;
  };
  return { name: "leave-to-runtime", resolveId: { order: "pre", handler } };
}

/** Declarations need nothing that is not public. */
function documentedIn(path) {
  return `@mcp-codegen/runtime${FEATURES.test(path) ? "/features" : ""}`;
}

const STDIO = /[\\/]transport[\\/]stdio[^\\/]*$/;
const FEATURES = /[\\/]features[\\/]/;
