import type { ResolveHook } from "node:module";

const replacement = new URL("fs-with-glob.js", import.meta.url).href;

/** Provides the suite, and no other module, with an `fs` that has all the names it imports. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isSuite = context.parentURL?.includes("/@modelcontextprotocol/conformance/dist/");
  return specifier === "fs" && isSuite
    ? { url: replacement, format: "module", shortCircuit: true }
    : next(specifier, context);
};
