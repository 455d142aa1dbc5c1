import { setTimeout } from "node:timers/promises";
import type { McpClient } from "@mcp-codegen/universal";
import { SkillError, SKILLS, type SkillEntry, skillsOf } from "@mcp-codegen/universal/skills";
import type { Scenario } from "./scenario.js";

/** The time in milliseconds within which a client would have fetched something that it must not fetch. */
const LONG_ENOUGH = 500;
const options = { extensions: [SKILLS] };

/** Lists skills but reads none. */
const listing: Scenario = {
  options,
  run: async (client) => {
    await listed(client);
    await setTimeout(LONG_ENOUGH);
  },
};

/** Loads a skill that does not match its entry. Its other files are never read. */
const refusing: Scenario = {
  options,
  run: async (client) => {
    const skills = skillsOf(client);
    const [skill] = await listed(client);
    try {
      await skills.read(skill!);
    } catch (error) {
      if (error instanceof SkillError) return;
      throw error;
    }
    throw new Error("The client did not refuse the skill");
  },
};

async function listed(client: McpClient): Promise<SkillEntry[]> {
  const found: SkillEntry[] = [];
  for await (const skill of skillsOf(client).list()) found.push(skill);
  return found;
}

/** The scenarios of the skills extension. */
export const skillScenarios: Readonly<Record<string, Scenario>> = {
  "sep-2640-client-no-prefetch": listing,
  "sep-2640-client-verify-digest": refusing,
  "sep-2640-client-verify-frontmatter": refusing,
  "sep-2640-client-verify-size": refusing,
};
