export { type Frontmatter, parseFrontmatter } from "./frontmatter.js";
export type { DirectoryChild, GivenSkill } from "./given-skill.js";
export {
  type ReadSkillOptions,
  ServedSkills,
  type SkillFile,
  type SkillsClient,
} from "./read-skills.js";
export { registerSkills, type SkillsOptions, type SkillsServer } from "./register-skills.js";
export {
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
  type SkillEntry,
  SkillError,
  type SkillResource,
} from "./skill.js";
