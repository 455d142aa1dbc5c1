import * as prompts from "@clack/prompts";
import type { Choices } from "./choices.js";

/** Asks for what the command line left open. @returns undefined when the user gives up. */
export async function ask(given: Partial<Choices>, offered: Offered): Promise<Choices | undefined> {
  prompts.intro("A new MCP project");
  const name =
    given.name ??
    (await prompts.text({
      message: "What is it called?",
      placeholder: "my-server",
      validate: offered.refuseName,
    }));
  if (prompts.isCancel(name)) return undefined;
  const template = given.template ?? (await choose("What is it?", offered.templates));
  if (prompts.isCancel(template)) return undefined;
  const revision =
    given.revision ?? (await choose("Which protocol revision?", await offered.revisions()));
  if (prompts.isCancel(revision)) return undefined;
  return { name, template, revision };
}

export interface Offered {
  readonly templates: readonly string[];
  /** Those that a project can speak; the one to suggest comes first. */
  readonly revisions: () => Promise<readonly string[]>;
  /** Why a name will not do. */
  readonly refuseName: (name: string | undefined) => string | undefined;
}

function choose(
  message: string,
  values: readonly string[],
): ReturnType<typeof prompts.select<string>> {
  return prompts.select({ message, options: values.map((value) => ({ value, label: value })) });
}
