import type { ExtensionPlan, MessageConstant } from "../../plan/extension-plan.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { renderTemplate } from "../template.js";
import { codeCell, codeSpan } from "../printer/markdown.js";
import { command, origin } from "./header.js";

/** README.md: the package's page. */
export function emitReadme(plan: ExtensionPlan): OutputFile {
  const { id, packageName, extended, messages } = plan;
  const view = {
    origin: origin(plan).replaceAll("--", "&#45;&#45;"),
    id,
    packageName,
    revision: extended.revision,
    messages: messages.map(row),
    hasMessages: messages.length > 0,
    command: codeSpan(command(plan)),
  };
  return { path: "README.md", text: renderTemplate("extension/README.md", view) };
}

function row({ name, method }: MessageConstant): string {
  const sender = { client: "client", server: "server", both: "both sides" }[method.from];
  return `| ${codeCell(method.method)} | ${method.kind} | ${sender} | \`${name}\` |`;
}
