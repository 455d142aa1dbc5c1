import * as prompts from "@clack/prompts";

/** Entry of a menu. */
export interface Choice {
  readonly value: string;
  readonly hint?: string;
}

export interface MenuEntries {
  readonly templates: readonly Choice[];
  /** Templates that can have authorization. */
  readonly authorizable: readonly string[];
  /** Bundled revisions, the suggested one first. */
  readonly revisions: readonly string[];
  /** Why a name will not do. */
  readonly refuseName: (name: string | undefined) => string | undefined;
}

/** Stands for no revision in particular. */
const ALL = "all";

/** Asks for what the command line left open. @returns undefined when the user gives up. */
export async function ask(
  given: Partial<Choices>,
  offered: MenuEntries,
): Promise<Choices | undefined> {
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
    given.revision ??
    (await choose("Which protocol revision?", [
      { value: ALL, hint: "write once, for peers of every revision" },
      ...offered.revisions.map((value) => ({ value, hint: "this one only" })),
    ]));
  if (prompts.isCancel(revision)) return undefined;
  const isAuthorized = given.isAuthorized ?? (await askForAuthorization(offered, template));
  if (isAuthorized === undefined) return undefined;
  return { name, template, revision: revision === ALL ? undefined : revision, isAuthorized };
}

/** @returns undefined when the user gives up */
async function askForAuthorization(
  { authorizable }: MenuEntries,
  template: string,
): Promise<boolean | undefined> {
  if (!authorizable.includes(template)) return false;
  const answer = await prompts.confirm({
    message: "With authorization (OAuth)?",
    initialValue: false,
  });
  return prompts.isCancel(answer) ? undefined : answer;
}

function choose(
  message: string,
  choices: readonly Choice[],
): ReturnType<typeof prompts.select<string>> {
  const options = choices.map(({ value, hint }) => ({
    value,
    label: value,
    ...(hint && { hint }),
  }));
  return prompts.select({ message, options });
}

/** Answers that a new project needs before it can be written. */
export interface Choices {
  readonly name: string;
  readonly template: string;
  /** The one revision that it speaks; undefined for all. */
  readonly revision: string | undefined;
  readonly isAuthorized: boolean;
}
