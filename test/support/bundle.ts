import { join } from "node:path";
import { rolldown } from "rolldown";
import vitestConfig from "../vitest.config.js";
import { root } from "./pack.js";

interface Alias {
  readonly find: RegExp;
  readonly replacement: string;
}

/** The source behind a module of ours: a build that is lying about may be stale. */
function sourceOf(id: string): string | undefined {
  const aliases = vitestConfig.resolve?.alias as readonly Alias[];
  const alias = aliases.find(({ find }) => find.test(id));
  return alias && id.replace(alias.find, alias.replacement);
}

/**
 * Makes one file for Node of a program and of all that it imports, minified, without anything that it does not use.
 *
 * @param from - what stands for our packages: `published` is the last build
 * @returns the code
 */
export async function bundle(
  input: string,
  file: string,
  from: "sources" | "published" = "sources",
): Promise<string> {
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
  return output[0].code;
}
