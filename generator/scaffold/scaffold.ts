import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { packageFolder } from "../bundled/bundled.js";
import { renderTemplate } from "../emit/template.js";
import type { OutputFile } from "../plan/file-plan.js";
import { type ScaffoldOptions, templateView } from "./template-view.js";
import type { Template } from "./templates.js";

export function scaffold(template: Template, options: ScaffoldOptions): OutputFile[] {
  const view = templateView(template, options);
  const flavor = options.revision === undefined ? "universal" : "pinned";
  const { layers, authorization = [] } = template;
  const all = options.isAuthorized ? [...layers, ...authorization] : layers;
  const folders = all.map((layer) => layer.replace("{flavor}", flavor));
  return folders.flatMap((folder) =>
    templateFiles(folder).map((path) => ({
      path: outputPath(path),
      text: renderTemplate(`scaffold/${folder}/${path.replace(/\.hbs$/, "")}`, view),
    })),
  );
}

function templateFiles(layer: string): string[] {
  const folder = join(packageFolder(), "templates", "scaffold", layer);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
}

/**
 * Returns the path of a template's file in the project. Dot files are stored with a leading `_`, because npm omits
 * some of them from packages.
 */
function outputPath(path: string): string {
  return path.replace(/\.hbs$/, "").replace(/(^|\/)_/, "$1.");
}
