import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * A module that exports all that some others do.
 *
 * @param paths - of the others, below `dist`, without ending
 * @throws Error where two of them mean different things by one name
 */
export async function joinEntries(dist, paths) {
  const given = new Map();
  const lines = [];
  for (const path of paths) {
    const file = join(dist, `${path}.js`);
    const exported = Object.entries(await import(pathToFileURL(file)));
    const clash = exported.find(([name, value]) => given.has(name) && given.get(name) !== value);
    if (clash) throw new Error(`${file} exports another ${clash[0]} than ${paths.join(" or ")}`);
    const names = exported.map(([name]) => name).filter((name) => !given.has(name));
    if (names.length > 0)
      lines.push(`export { ${names.join(", ")} } from ${JSON.stringify(file)};`);
    for (const [name, value] of exported) given.set(name, value);
  }
  return lines.join("\n");
}
