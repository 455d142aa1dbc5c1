// Preloaded into a program (`node --import`). Whatever the program imports from the official SDK then comes from the
// package @mcp-codegen/sdk in the folder REPLACEMENT, if that has the subpath. The file REPLACED gets a line for each
// replaced import.
import { appendFileSync, readFileSync } from "node:fs";
import Module, { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const { REPLACEMENT, REPLACED } = process.env;
const { exports } = JSON.parse(readFileSync(join(REPLACEMENT, "package.json"), "utf8"));

const OWN = pathToFileURL(REPLACEMENT).href;

/** Returns the file that replaces an import, or undefined if there is none. */
function replacementOf(specifier) {
  const [, name, rest = ""] = /^@modelcontextprotocol\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const subpath = name === "sdk" ? version1(rest) : `./${name}${rest && "/"}${rest}`;
  if (!Object.hasOwn(exports, subpath)) return undefined;
  appendFileSync(REPLACED, `${specifier}\n`);
  return join(REPLACEMENT, exports[subpath].default);
}

/** Returns the subpath of a version 1 module, whose extension and `index.js` can be omitted. */
function version1(rest) {
  const path = rest.replace(/^dist\/(?:esm|cjs)\//, "");
  if (path.endsWith(".js") || path.startsWith("validation/")) return `./${path}`;
  return Object.hasOwn(exports, `./${path}.js`) ? `./${path}.js` : `./${path}/index.js`;
}

/** The last module with an import that was replaced. */
let importer;

/** Resolves imports, as a hook of Node. The frameworks that our package needs are those of the program. */
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
