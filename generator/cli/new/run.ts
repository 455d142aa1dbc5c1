import { relative } from "node:path";
import { bundledRevision, bundledRevisions, packageVersion } from "../../bundled/bundled.js";
import { Diagnostics } from "../../diagnostics.js";
import type { Protocol } from "../../link/protocol.js";
import {
  detectPackageManager,
  installCommand,
  type PackageManager,
  runCommand,
} from "../../scaffold/package-manager.js";
import { projectName } from "../../scaffold/project-name.js";
import { scaffold, scaffoldTemplates } from "../../scaffold/scaffold.js";
import { refuseTarget } from "../../scaffold/target-folder.js";
import { writeProject } from "../../scaffold/write-project.js";
import type { Context, Values } from "../command.js";
import { usageError } from "../explain-usage.js";
import type { Outcome } from "../outcome.js";
import { unknownRevision } from "../revision-source.js";
import { suggest } from "../suggest.js";
import type { Offered } from "./ask.js";
import type { Choices } from "./choices.js";

/** `new`: the files of a project, into a folder of their own. */
export async function runNew(
  values: Values,
  { diagnostics }: Context,
): Promise<Outcome | undefined> {
  const templates = scaffoldTemplates();
  const choices = await complete(values, { templates, revisions: servable, refuseName });
  if (choices === undefined) {
    diagnostics.add(usageError("Nothing was written: the questions were not answered."));
    return undefined;
  }
  checkChoices(choices, templates, diagnostics);
  const named = projectName(choices.name ?? "", process.cwd());
  if (choices.name !== undefined && "problem" in named) diagnostics.add(usageError(named.problem));
  if (diagnostics.hasErrors || "problem" in named) return undefined;

  const occupied = refuseTarget(named.folder, values.flag("force"));
  if (occupied !== undefined) {
    diagnostics.add({ code: "MCG6101", severity: "error", message: occupied });
    return undefined;
  }
  const protocol = await protocolOf(choices.revision!, diagnostics);
  if (protocol === undefined || !canServe(protocol, diagnostics)) return undefined;
  const packageManager = managerOf(values);
  const files = scaffold({
    packageName: named.packageName,
    template: choices.template!,
    revision: protocol.revision,
    resourceNotFound: resourceNotFound(protocol),
    version: packageVersion(),
    packageManager,
  });
  writeProject(named.folder, files);
  const folder = relative(process.cwd(), named.folder) || ".";
  return {
    data: { folder: named.folder, name: named.packageName, files: files.map(({ path }) => path) },
    lines: [
      `${named.packageName}: ${files.length} files in ${folder}, for revision ${protocol.revision}. Next:`,
      ...(folder === "." ? [] : [`  cd ${folder}`]),
      `  ${installCommand(packageManager)}`,
      `  ${runCommand(packageManager)} test`,
      "The packages are not on npm yet. Until they are, run `npm pack --workspaces` in a clone of mcp-codegen, and",
      `install the archives of the runtime and of ${protocol.revision} from there: npm install <archive> <archive>`,
    ],
  };
}

/** The command line's choices, asked for where a person can answer. */
async function complete(values: Values, offered: Offered): Promise<Partial<Choices> | undefined> {
  const name = values.text("name");
  const template = values.text("template");
  const revision = values.text("revision");
  const given = {
    ...(name && { name }),
    ...(template && { template }),
    ...(revision && { revision }),
  };
  const isComplete = name !== undefined && template !== undefined && revision !== undefined;
  const isAttended = process.stdin.isTTY && process.stdout.isTTY && !values.flag("json");
  if (isComplete || !isAttended) return given;
  const { ask } = await import("./ask.js");
  return ask(given, offered);
}

function checkChoices(
  { name, template, revision }: Partial<Choices>,
  templates: readonly string[],
  diagnostics: Diagnostics,
): void {
  const example = "Example: mcp-codegen new notes --template stdio-server --revision 2025-11-25.";
  if (name === undefined) diagnostics.add(usageError("The new project needs a name.", example));
  if (template === undefined) {
    diagnostics.add(usageError("--template is missing.", `There are: ${templates.join(", ")}.`));
  } else if (!templates.includes(template)) {
    const hint = suggest(template, templates) ?? `There are: ${templates.join(", ")}.`;
    diagnostics.add(usageError(`There is no template "${template}".`, hint));
  }
  if (revision === undefined) {
    const known = bundledRevisions().map((bundled) => bundled.revision);
    diagnostics.add(usageError("--revision is missing.", `Bundled are: ${known.join(", ")}.`));
  } else if (bundledRevision(revision) === undefined) {
    diagnostics.add(unknownRevision(revision));
  }
}

/** Loads the reader of schemas only when it is needed: wrong usage is answered without it. */
async function protocolOf(
  revision: string,
  diagnostics: Diagnostics,
): Promise<Protocol | undefined> {
  const { readProtocol } = await import("../read-protocol.js");
  return readProtocol(revision, diagnostics)?.protocol;
}

/** The bundled revisions that the runtime can serve, newest first. */
async function servable(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { revision } of bundledRevisions()) {
    const diagnostics = new Diagnostics();
    const protocol = await protocolOf(revision, diagnostics);
    if (protocol && canServe(protocol, diagnostics)) found.unshift(revision);
  }
  return found;
}

function refuseName(name: string | undefined): string | undefined {
  const named = projectName(name ?? "", process.cwd());
  return "problem" in named ? named.problem : undefined;
}

function canServe(protocol: Protocol, diagnostics: Diagnostics): boolean {
  if (protocol.traits.lifecycle === "initialize") return true;
  diagnostics.add({
    code: "MCG6102",
    severity: "error",
    message: `The runtime cannot serve revision ${protocol.revision} yet: it opens without a handshake.`,
    hint: "Choose a revision with a handshake, such as 2025-11-25.",
  });
  return false;
}

/** The revision's own code for it, else the one that JSON-RPC has for wrong parameters. */
function resourceNotFound({ errorCodes }: Protocol): string {
  return errorCodes.find(({ name }) => name === "RESOURCE_NOT_FOUND")?.name ?? "INVALID_PARAMS";
}

function managerOf(values: Values): PackageManager {
  const given = values.text("package-manager") as PackageManager | undefined;
  return given ?? detectPackageManager(process.env["npm_config_user_agent"]);
}
