import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./pack.js";
import { sourceOf } from "./sources.js";

/** The result of bundling a program. */
export interface Bundled {
  readonly code: string;
  /** The paths of the modules that contribute something to it. */
  readonly modules: readonly string[];
}

/** Returns the code of a bundle. */
export async function bundle(...args: Parameters<typeof bundled>): Promise<string> {
  return (await bundled(...args)).code;
}

/**
 * Bundles a program and all its imports into one file for Node, minified and without unused code.
 *
 * @param from - the source of our packages: `published` is the last build
 */
export async function bundled(
  input: string,
  file: string,
  from: "sources" | "published" = "sources",
): Promise<Bundled> {
  const build = await rolldown({
    input,
    platform: "node",
    tsconfig: false,
    resolve: {
      extensionAlias: { ".js": [".ts", ".js"] },
      modules: [join(root, "node_modules")],
    },
    plugins: from === "sources" ? [{ name: "sources", resolveId: (id) => sourceOf(id) }] : [],
    logLevel: "silent",
  });
  const format = { format: "esm", minify: true, comments: false, codeSplitting: false } as const;
  const { output } = await build.write({ file, ...format });
  await build.close();
  const { code, modules } = output[0];
  return { code, modules: Object.keys(modules) };
}
