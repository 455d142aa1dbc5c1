import { join, resolve } from "node:path";
import { root } from "../support/pack.js";
import { type BuildOptions, type BuildPlugin, esbuild } from "./tools.js";

/** The platform of a bundle; `packages` leaves our packages to a runtime that finds them in `node_modules`. */
export type Target = "browser" | "workerd" | "packages";

const OPTIONS: Readonly<Record<Target, BuildOptions>> = {
  // No Node module is external, so anything that needs one does not build.
  browser: { platform: "browser" },
  // As wrangler does it.
  workerd: { platform: "browser", conditions: ["workerd", "worker", "browser"] },
  packages: { platform: "neutral", external: ["@mcp-codegen/*", "node:*"] },
};

/**
 * Bundles a program for a runtime into one file.
 * @param program - path, absolute or below this repository
 * @param project - folder whose `node_modules` contains our packages as published
 */
export async function bundleFor(
  target: Target,
  program: string,
  file: string,
  project: string,
): Promise<void> {
  const options = OPTIONS[target];
  const isExternal = options.external !== undefined;
  await esbuild().build({
    ...options,
    entryPoints: [resolve(root, program)],
    outfile: file,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "silent",
    tsconfigRaw: {},
    nodePaths: [join(project, "node_modules"), join(root, "node_modules")],
    plugins: isExternal ? [] : [publishedPackages(project)],
  });
}

/**
 * Resolves our packages within the project, because a test in this repository would otherwise resolve them to their
 * folders.
 */
function publishedPackages(project: string): BuildPlugin {
  return {
    name: "published-packages",
    setup(build) {
      build.onResolve({ filter: /^@mcp-codegen\// }, ({ path, kind, pluginData }) => {
        if (pluginData === project) return undefined;
        return build.resolve(path, { kind, resolveDir: project, pluginData: project });
      });
    },
  };
}
