// Preloaded into a program (`node --import`): what it imports from the official SDK comes from the package @mcp-codegen/sdk
// in the folder REPLACEMENT, where that has the subpath. Each replaced import is a line of the file REPLACED.
import { appendFileSync, readFileSync } from "node:fs";
import Module, { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const { REPLACEMENT, REPLACED } = process.env;
const { exports } = JSON.parse(readFileSync(join(REPLACEMENT, "package.json"), "utf8"));

const OWN = pathToFileURL(REPLACEMENT).href;

/** File that replaces an import; undefined if there is none. */
function replacementOf(specifier) {
  const [, name, rest = ""] = /^@modelcontextprotocol\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const subpath = name === "sdk" ? version1(rest) : `./${name}${rest && "/"}${rest}`;
  if (!Object.hasOwn(exports, subpath)) return undefined;
  appendFileSync(REPLACED, `${specifier}\n`);
  return join(REPLACEMENT, exports[subpath].default);
}

/** Subpath of a module of version 1, whose extension and `index.js` can be left out. */
function version1(rest) {
  const path = rest.replace(/^dist\/(?:esm|cjs)\//, "");
  if (path.endsWith(".js") || path.startsWith("validation/")) return `./${path}`;
  return Object.hasOwn(exports, `./${path}.js`) ? `./${path}.js` : `./${path}/index.js`;
}

/** Last module that imported something that was replaced. */
let importer;

/** Hook of `import`. Frameworks that our package needs are those of the program. */
export async function resolve(specifier, context, next) {
  const file = replacementOf(specifier);
  if (file !== undefined) {
    importer = context.parentURL;
    return { url: pathToFileURL(file).href, shortCircuit: true };
  }
  if (!context.parentURL?.startsWith(OWN)) return next(specifier, context);
  return next(specifier, context).catch(() => next(specifier, { ...context, parentURL: importer }));
}

if (isMainThread) {
  register(import.meta.url);
  const original = Module._resolveFilename;
  Module._resolveFilename = (request, ...rest) =>
    replacementOf(request) ?? original.call(Module, request, ...rest);
}
