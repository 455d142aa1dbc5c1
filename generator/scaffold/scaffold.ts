import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { packageFolder } from "../bundled/bundled.js";
import { renderTemplate } from "../emit/template.js";
import type { OutputFile } from "../plan/file-plan.js";
import { installCommand, type PackageManager, runCommand } from "./package-manager.js";

export interface ScaffoldOptions {
  /** Name of the new package. */
  readonly packageName: string;
  /** Folder under `templates/scaffold`, see {@link scaffoldTemplates}. */
  readonly template: string;
  readonly revision: string;
  /** Constant of the error code for an unknown resource, which differs by revision. */
  readonly resourceNotFound: string;
  /** Version of the packages that the project depends on. */
  readonly version: string;
  readonly packageManager: PackageManager;
}

const scaffoldFolder = (): string => join(packageFolder(), "templates", "scaffold");

/** Names of the templates there are. */
export function scaffoldTemplates(): string[] {
  return readdirSync(scaffoldFolder()).toSorted();
}

/** The files of a new project. */
export function scaffold(options: ScaffoldOptions): OutputFile[] {
  const context = {
    name: options.packageName,
    revision: options.revision,
    protocolPackage: `@mcp-codegen/${options.revision}`,
    notFound: options.resourceNotFound,
    version: options.version,
    install: installCommand(options.packageManager),
    run: runCommand(options.packageManager),
  };
  return templateFiles(options.template).map((path) => ({
    path: outputPath(path),
    text: renderTemplate(`scaffold/${options.template}/${path.replace(/\.hbs$/, "")}`, context),
  }));
}

function templateFiles(template: string): string[] {
  const folder = join(scaffoldFolder(), template);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
}

/** Dot files are stored with a leading `_`, since npm leaves some of them out of packages. */
function outputPath(path: string): string {
  return path.replace(/\.hbs$/, "").replace(/(^|\/)_/, "$1.");
}
