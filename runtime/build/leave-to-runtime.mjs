import { basename, relative, sep } from "node:path";
import { leaveOut } from "./leave-out.mjs";

/**
 * Makes a part import from the runtime what the runtime has too, and from other parts what they export, so that each
 * class exists once. Copies of stdio are the exception: what others import of the runtime must not lead to Node.
 *
 * @param modules - of which the runtime consists, modules or declarations
 * @param dist - where all that was compiled is, with a folder for each part
 * @param others - names of the other parts
 */
export function leaveToRuntime(modules, dist, others) {
  return leaveOut("leave-to-runtime", (path) => {
    const part = otherPart(path, dist, others);
    if (part !== undefined) return part;
    if (STDIO.test(path)) return null;
    if (modules.has(path)) return "@mcp-codegen/runtime/internal";
    return modules.has(path.replace(/\.js$/, ".d.ts")) ? documentedIn(path) : null;
  });
}

/** The entry of another part that a module is: `@mcp-codegen/http-server/node` for `http-server/node/index.js`. */
function otherPart(path, dist, others) {
  const [name, ...rest] = relative(dist, path).split(sep);
  if (!others.includes(name)) return undefined;
  const entry = basename(path) === "index.js" ? rest.slice(0, -1) : rest;
  return ["@mcp-codegen", name, ...entry.map((step) => step.replace(/\.js$/, ""))].join("/");
}

/** Declarations need nothing that is not public. */
function documentedIn(path) {
  return `@mcp-codegen/runtime${FEATURES.test(path) ? "/features" : ""}`;
}

const STDIO = /[\\/]transport[\\/]stdio[^\\/]*$/;
const FEATURES = /[\\/]features[\\/]/;
