import { relative } from "node:path";
import { bundledRevision, bundledRevisions, packageVersion } from "../../bundled/bundled.js";
import { cloneAround } from "../../bundled/clone.js";
import type { Diagnostics } from "../../diagnostics.js";
import {
  detectPackageManager,
  installCommand,
  type PackageManager,
  testCommand,
} from "../../scaffold/package-manager.js";
import { projectName } from "../../scaffold/project-name.js";
import { scaffold } from "../../scaffold/scaffold.js";
import { vendored } from "../../scaffold/vendored.js";
import { refuseTarget } from "../../scaffold/target-folder.js";
import { TEMPLATES } from "../../scaffold/templates.js";
import { writeProject } from "../../scaffold/write-project.js";
import type { Context, Values } from "../command.js";
import { loadContractPackage, type LockedClient } from "../contract-package.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";
import { unknownRevision } from "../revision-source.js";
import { suggest } from "../suggest.js";
import type { Choices } from "./ask.js";

const AUTHORIZABLE = TEMPLATES.filter((one) => one.authorization).map((one) => one.name);

const NO_CONTRACT: LockedClient = { name: undefined, files: [] };

export async function runNew(
  values: Values,
  { diagnostics }: Context,
): Promise<Outcome | undefined> {
  const choices = await complete(values);
  if (choices === undefined) {
    diagnostics.add(usageError("Nothing was written, because the questions were not answered."));
    return undefined;
  }
  checkChoices(choices, diagnostics);
  const from = values.text("from");
  if (from !== undefined && (choices.template !== "client" || choices.revision !== undefined)) {
    diagnostics.add(usageError("--from is for the template client, without --revision."));
  }
  const named = projectName(choices.name ?? "", process.cwd());
  if (choices.name !== undefined && "problem" in named) diagnostics.add(usageError(named.problem));
  const template = TEMPLATES.find(({ name }) => name === choices.template);
  if (diagnostics.hasErrors || "problem" in named || template === undefined) return undefined;

  const occupied = refuseTarget(named.folder, values.flag("force"));
  if (occupied !== undefined) {
    diagnostics.add({ code: "MCG6101", severity: "error", message: occupied });
    return undefined;
  }
  const { folder, packageName } = named;
  const { revision, isAuthorized = false } = choices;
  const packageManager = managerOf(values);
  const locked =
    from === undefined
      ? NO_CONTRACT
      : await (await loadContractPackage(diagnostics))?.lockedClient(from, values, diagnostics);
  if (locked === undefined || diagnostics.hasErrors) return undefined;
  const project = scaffold(template, {
    packageName,
    revision,
    version: packageVersion(),
    packageManager,
    isAuthorized,
    server: locked.name,
  });
  const clone = values.flag("from-registry") ? undefined : await cloneAround();
  const own =
    clone === undefined ? { files: project, names: [] } : vendored(project, clone, packageManager);
  const files = [...own.files, ...locked.files];
  if (!writeProject(folder, files, diagnostics)) return undefined;
  if (clone !== undefined) await clone.packInto([{ folder, names: own.names }]);
  const shown = relative(process.cwd(), folder) || ".";
  const scope = revision === undefined ? "all revisions" : `revision ${revision}`;
  return {
    data: { folder, name: packageName, files: files.map(({ path }) => path) },
    lines: [
      `${packageName}: ${files.length} files in ${shown}, for ${scope}.`,
      "Next:",
      ...(shown === "." ? [] : [`  cd ${shown}`]),
      `  ${installCommand(packageManager)}`,
      `  ${testCommand(packageManager)}`,
    ],
  };
}

/**
 * Returns the choices made on the command line. In an interactive terminal, prompts for any that are missing. Returns
 * undefined if the user cancels.
 */
async function complete(values: Values): Promise<Partial<Choices> | undefined> {
  const name = values.text("name");
  const template = values.text("template");
  const revision = values.text("revision");
  const preset = {
    ...(name && { name }),
    ...(template && { template }),
    ...(revision && { revision }),
    ...(values.flag("auth") && { isAuthorized: true }),
  };
  const isComplete = name !== undefined && template !== undefined;
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && !values.flag("json");
  if (isComplete || !isAttended) return preset;
  const { ask } = await import("./ask.js");
  return ask(preset, {
    templates: TEMPLATES.map((one) => ({ value: one.name, hint: one.hint })),
    authorizable: AUTHORIZABLE,
    revisions: bundledRevisions()
      .map((bundled) => bundled.revision)
      .toReversed(),
    refuseName,
  });
}

function checkChoices(
  { name, template, revision, isAuthorized }: Partial<Choices>,
  diagnostics: Diagnostics,
): void {
  const templates = TEMPLATES.map((one) => one.name);
  const example = "Example: mcp-codegen new notes --template stdio-server.";
  if (name === undefined) diagnostics.add(usageError("The new project needs a name.", example));
  if (template === undefined) {
    diagnostics.add(
      usageError("--template is missing.", `The templates are: ${templates.join(", ")}.`),
    );
  } else if (!templates.includes(template)) {
    const hint = suggest(template, templates) ?? `The templates are: ${templates.join(", ")}.`;
    diagnostics.add(usageError(`There is no template "${template}".`, hint));
  } else if (isAuthorized && !AUTHORIZABLE.includes(template)) {
    const hint = `It applies to: ${AUTHORIZABLE.join(", ")}.`;
    diagnostics.add(usageError(`--auth does not apply to the template "${template}".`, hint));
  }
  if (revision !== undefined && bundledRevision(revision) === undefined) {
    diagnostics.add(unknownRevision(revision));
  }
}

function refuseName(name: string | undefined): string | undefined {
  const named = projectName(name ?? "", process.cwd());
  return "problem" in named ? named.problem : undefined;
}

function managerOf(values: Values): PackageManager {
  const manager = values.text("package-manager") as PackageManager | undefined;
  return manager ?? detectPackageManager(process.env["npm_config_user_agent"]);
}
