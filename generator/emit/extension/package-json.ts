import type { ExtensionPlan } from "../../plan/extension-plan.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { packageOf } from "../package-json.js";
import { escapeString } from "../printer/escape.js";
import { renderTemplate } from "../template.js";
import { origin } from "./header.js";

/** package.json: the package as others install it. */
export function emitPackageJson(plan: ExtensionPlan): OutputFile {
  const { id, packageName, version, extended, extendedPackage, runtime } = plan;
  const needed = [extendedPackage, packageOf(runtime)].filter((name) => name !== undefined);
  const dependencies = needed.toSorted().map((name, index) => {
    const range = name.startsWith("@mcp-codegen/") ? `^${version}` : "*";
    const comma = index === needed.length - 1 ? "" : ",";
    return `${escapeString(name)}: ${escapeString(range)}${comma}`;
  });
  const view = {
    origin: escapeString(origin(plan)),
    name: escapeString(packageName),
    version: escapeString(version),
    description: escapeString(
      `The extension ${id} of the Model Context Protocol, revision ${extended.revision}: types, validators and messages.`,
    ),
    modules: [
      { subpath: ".", file: "index" },
      ...["types", "validators", "messages"].map((file) => ({ subpath: `./${file}`, file })),
    ],
    dependencies,
  };
  return { path: "package.json", text: renderTemplate("extension/package.json", view) };
}
