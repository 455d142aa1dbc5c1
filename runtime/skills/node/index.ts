import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GivenSkill } from "../given-skill.js";
import { MAX_SKILL_BYTES, MAX_SKILL_FILES, SkillError } from "../skill.js";

/**
 * Reads the skills below a folder: each folder in it with a `SKILL.md` is one, at the path that it has below `root`. Files and
 * folders whose names begin with a dot are left out.
 *
 * @throws SkillError for symbolic links and special files, and for skills over the limits
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
    const files = new Map<string, Uint8Array>();
    await collect(folder, [], files);
    found.push({ path: path.join("/"), files: Object.fromEntries(files) });
  }
  for (const name of names) {
    if ((await lstat(join(folder, name))).isDirectory()) await visit(root, [...path, name], found);
  }
}

async function collect(
  folder: string,
  path: readonly string[],
  files: Map<string, Uint8Array>,
): Promise<void> {
  for (const name of await visible(join(folder, ...path))) {
    const inner = [...path, name];
    const place = join(folder, ...inner);
    const stats = await lstat(place);
    if (stats.isDirectory()) {
      await collect(folder, inner, files);
      continue;
    }
    if (!stats.isFile()) throw new SkillError(place, "a skill has regular files only");
    if (files.size === MAX_SKILL_FILES) {
      throw new SkillError(folder, `a skill has at most ${MAX_SKILL_FILES} files`);
    }
    if (stats.size > MAX_SKILL_BYTES) {
      throw new SkillError(place, `a skill has at most ${MAX_SKILL_BYTES} bytes`);
    }
    files.set(inner.join("/"), await readFile(place));
  }
}

async function visible(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith(".")).toSorted();
}
