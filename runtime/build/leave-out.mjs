import { dirname, join } from "node:path";

/**
 * A plugin that leaves modules out of a bundle: they are imported from somewhere else.
 *
 * @param target - gives what is imported in place of a module, by its path and as it was written; null for one that
 *   goes into the bundle
 */
export function leaveOut(name, target) {
  const handler = (source, importer) => {
    if (importer === undefined || !source.startsWith(".")) return null;
    const id = target(join(dirname(importer), source), source);
    return id === null ? null : { id, external: true };
  };
  return { name, resolveId: { order: "pre", handler } };
}
