export type { DirectoryChild } from "./directories.js";
export { type Frontmatter, parseFrontmatter } from "./frontmatter.js";
export type { GivenSkill } from "./given-skill.js";
export { registerSkills, type SkillsOptions, type SkillsServer } from "./register-skills.js";
export {
  type ReadSkillOptions,
  ServedSkills,
  type SkillFile,
  type SkillsClient,
} from "./served-skills.js";
export {
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
  type SkillEntry,
  type SkillResource,
} from "./skill-entry.js";
export { SkillError } from "./skill-error.js";
