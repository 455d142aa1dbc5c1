import type { ResolveHook } from "node:module";

const replacement = new URL("fs-with-glob.js", import.meta.url).href;

/** Gives the suite, and nobody else, an `fs` with all that it names. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isSuite = context.parentURL?.includes("/@modelcontextprotocol/conformance/dist/");
  return specifier === "fs" && isSuite
    ? { url: replacement, format: "module", shortCircuit: true }
    : next(specifier, context);
};
