import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/**
 * The modules or declarations behind the entries of a package: a file for each entry, and one for what several of
 * them share. What leads to Node or to another package is kept out of that one, so that nobody loads it who does not
 * ask for it.
 *
 * @param entries - paths below `dist` without ending, by the name that the result has
 * @param ending - of the files in `dist` that are bundled: `.js` or `.d.ts`
 * @param options - for rolldown, beside those that hold for both
 * @returns the files with the names that they export, and the modules that went into them
 */
export async function bundle(dist, entries, ending, { input = {}, output = {} }) {
  const files = Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, join(dist, `${entry}${ending}`)]),
  );
  const own = new Set(Object.values(files));
  const modules = new Set();
  const collect = { name: "collect", moduleParsed: ({ id }) => void modules.add(id) };
  const groupOf = (id, context) => (own.has(id) || leadsElsewhere(id, context) ? null : "core");
  const build = await rolldown({
    external: isElsewhere,
    ...input,
    plugins: [...(input.plugins ?? []), collect],
    input: files,
    platform: "neutral",
    resolve: { modules: ["node_modules", OUR_MODULES] },
    tsconfig: false,
    preserveEntrySignatures: "allow-extension",
    checks: { pluginTimings: false },
    onLog(_level, { message }) {
      throw new Error(message);
    },
  });
  const bundled = await build.generate({
    ...output,
    format: "esm",
    entryFileNames: `[name]${ending}`,
    chunkFileNames: `shared/[name]${ending}`,
    codeSplitting: {
      groups: [{ debugName: "core", name: groupOf, minShareCount: 2 }],
    },
  });
  await build.close();
  return {
    files: bundled.output.map(({ fileName, code, exports }) => ({
      path: fileName,
      text: code,
      exports,
    })),
    modules,
  };
}

/** Where packages are found that are bundled, wherever the one is that they go into. */
const OUR_MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** Whether what is imported is not a file of ours. */
export function isElsewhere(id) {
  return !id.startsWith(".") && !isAbsolute(id);
}

/** Whether a module imports Node or another package, itself or through what it imports. */
function leadsElsewhere(id, context, seen = new Set()) {
  if (seen.has(id)) return false;
  seen.add(id);
  const imported = context.getModuleInfo(id)?.importedIds ?? [];
  return imported.some((next) => isElsewhere(next) || leadsElsewhere(next, context, seen));
}
