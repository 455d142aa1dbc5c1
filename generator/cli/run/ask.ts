import * as prompts from "@clack/prompts";

export interface Choice {
  readonly value: string;
  readonly hint?: string;
}

export interface MenuEntries {
  readonly templates: readonly Choice[];
  /** The names of the templates that support authorization. */
  readonly authorizable: readonly string[];
  /** The bundled revisions, starting with the suggested one. */
  readonly revisions: readonly string[];
  /** Returns the reason why a name is invalid; undefined if it is valid. */
  readonly refuseName: (name: string | undefined) => string | undefined;
}

const ALL = "all";

/** Prompts for the choices that are missing from the command line. Returns undefined if the user cancels. */
export async function ask(
  preset: Partial<Choices>,
  offered: MenuEntries,
): Promise<Choices | undefined> {
  prompts.intro("A new MCP project");
  const name =
    preset.name ??
    (await prompts.text({
      message: "What is it called?",
      placeholder: "my-server",
      validate: offered.refuseName,
    }));
  if (prompts.isCancel(name)) return undefined;
  const template = preset.template ?? (await choose("What is it?", offered.templates));
  if (prompts.isCancel(template)) return undefined;
  const revision =
    preset.revision ??
    (await choose("Which protocol revision?", [
      { value: ALL, hint: "write once, for peers of every revision" },
      ...offered.revisions.map((value) => ({ value, hint: "this one only" })),
    ]));
  if (prompts.isCancel(revision)) return undefined;
  const isAuthorized = preset.isAuthorized ?? (await askForAuthorization(offered, template));
  if (isAuthorized === undefined) return undefined;
  return { name, template, revision: revision === ALL ? undefined : revision, isAuthorized };
}

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

export interface Choices {
  readonly name: string;
  readonly template: string;
  /** The revision to use; undefined for all revisions. */
  readonly revision: string | undefined;
  readonly isAuthorized: boolean;
}
