import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GivenSkill } from "../given-skill.js";
import { MAX_SKILL_BYTES, MAX_SKILL_FILES, SkillError } from "../skill.js";

/**
 * Reads the skills below a folder. Each folder with a `SKILL.md` is a skill, whose path is relative to `root`. Files
 * and folders whose names begin with a dot are ignored.
 *
 * @throws SkillError for symbolic links and special files, and for skills that exceed the limits
 */
export async function readSkills(root: string): Promise<GivenSkill[]> {
  const found: GivenSkill[] = [];
  await visit(root, [], found);
  return found;
}

async function visit(root: string, path: readonly string[], found: GivenSkill[]): Promise<void> {
  const folder = join(root, ...path);
  const names = await visible(folder);
  if (path.length > 0 && names.includes("SKILL.md")) {
    found.push({ path: path.join("/"), files: await filesOf(folder) });
  }
  for (const name of names) {
    if ((await lstat(join(folder, name))).isDirectory()) await visit(root, [...path, name], found);
  }
}

/** Reads a skill's files, by path. Checks their number and total size first. */
async function filesOf(folder: string): Promise<Record<string, Uint8Array>> {
  const inventory: Inventory = { paths: [], bytes: 0 };
  await collect(folder, [], inventory);
  const files: [string, Uint8Array][] = [];
  let left = MAX_SKILL_BYTES;
  for (const path of inventory.paths) {
    const bytes = await readFile(join(folder, path));
    left -= bytes.length;
    if (left < 0) throw tooLarge(folder);
    files.push([path, bytes]);
  }
  return Object.fromEntries(files);
}

interface Inventory {
  readonly paths: string[];
  bytes: number;
}

async function collect(
  folder: string,
  path: readonly string[],
  inventory: Inventory,
): Promise<void> {
  for (const name of await visible(join(folder, ...path))) {
    const inner = [...path, name];
    const place = join(folder, ...inner);
    const stats = await lstat(place);
    if (stats.isDirectory()) {
      await collect(folder, inner, inventory);
      continue;
    }
    if (!stats.isFile()) throw new SkillError(place, "a skill must have regular files only");
    if (inventory.paths.length === MAX_SKILL_FILES) {
      throw new SkillError(folder, `a skill must have at most ${MAX_SKILL_FILES} files`);
    }
    inventory.paths.push(inner.join("/"));
    inventory.bytes += stats.size;
    if (inventory.bytes > MAX_SKILL_BYTES) throw tooLarge(folder);
  }
}

function tooLarge(folder: string): SkillError {
  return new SkillError(
    folder,
    `a skill must have at most ${MAX_SKILL_BYTES} bytes in all its files`,
  );
}

async function visible(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith(".")).toSorted();
}
