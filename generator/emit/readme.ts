import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { command, origin } from "./header.js";
import { protocolTitle } from "./protocol-name.js";
import { codeSpan } from "./printer/markdown.js";
import { renderTemplate } from "./template.js";

/** README.md: the package's page. */
export function emitReadme(plan: RevisionPlan): OutputFile {
  const { protocol, packageName } = plan;
  const has = (method: string): boolean =>
    protocol.methods.some((row) => row.method === method && row.from === "client");
  const view = {
    origin: origin(plan).replaceAll("--", "&#45;&#45;"),
    packageName,
    title: protocolTitle(protocol),
    isOnNpm: !plan.isOwnSchema,
    isOwnSchema: plan.isOwnSchema,
    hasConversation: has("tools/list") && has("tools/call"),
    implementation: protocol.envelope.implementation,
    hasVersion: hasVersion(plan),
    modules: table(["Import", "What is in it"], modules(plan)),
    command: codeSpan(command(plan)),
  };
  return { path: "README.md", text: renderTemplate("revision/README.md", view) };
}

/** True when the example of a value that lacks its version is one: only name and version are required. */
function hasVersion({ protocol, shapes }: RevisionPlan): boolean {
  const members = shapes.named(protocol.envelope.implementation)?.members;
  const required = [...(members ?? [])].flatMap(([name, { optional }]) => (optional ? [] : [name]));
  const version = members?.get("version")?.types[0]?.type;
  const isString = version?.kind === "keyword" && version.name === "string";
  return isString && required.toSorted().join() === "name,version";
}

function modules({ packageName: name, features }: RevisionPlan): string[][] {
  const bound = features?.classes.map((feature) => `\`${feature.name}\``).join(", ");
  return [
    [`\`${name}\``, "everything but the features; `validators` is a namespace"],
    ["`…/types`", "the types of the schema, and maps from methods to types"],
    ["`…/validators`", "a function per type: `(value, trace?) => boolean`"],
    ["`…/methods`", "`revision`: methods, traits and error codes as one value"],
    ["`…/client`, `…/server`", "`Client`, `Server`, and the types of their handlers"],
    ...(bound ? [["`…/features`", bound]] : []),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const rule = head.map(() => "---");
  return [head, rule, ...rows].map((row) => `| ${row.join(" | ")} |`);
}
