import type { OutputFile } from "mcp-codegen";
import { isObject } from "../json.js";
import {
  Imports,
  codeBlock,
  codeCell,
  codeSpan,
  htmlText,
  inlineText,
  print,
} from "mcp-codegen/emit";
import { type ContractList, FAMILIES, LISTS } from "../families.js";

import { printType, type TypeMember } from "../schema/print-type.js";
import { origin } from "./contract-types.js";
import type { ContractPlan, EntryPlan, NamedTypes } from "./contract-plan.js";

/** Title of a list: `resource template` becomes `Resource templates`. */
function titleOf(list: ContractList): string {
  const { noun } = FAMILIES[list];
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`;
}

/** Maximum length of a type that is shown in a table. */
const LONGEST_TYPE = 200;

/** Pages about a contract, as Markdown and as HTML. */
export function emitDocs(plan: ContractPlan): readonly OutputFile[] {
  return [
    { path: "index.md", text: markdownPage(plan) },
    { path: "index.html", text: htmlPage(plan) },
  ];
}

/** A row of the arguments table. */
interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly doc: string;
}

function rowsOf(named: NamedTypes | undefined): readonly Row[] {
  const { root } = named?.types ?? {};
  if (root?.kind !== "object") return [];
  return root.members.map((member) => ({
    name: member.name,
    type: typeText(member, named!),
    isRequired: !member.isOptional,
    doc: member.doc ?? "",
  }));
}

function typeText({ type }: TypeMember, { targets }: NamedTypes): string {
  const printed = print(
    printType(type, (target) => targets.get(target)!),
    new Imports(),
  );
  const line = printed
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > LONGEST_TYPE ? `${line.slice(0, LONGEST_TYPE)}…` : line;
}

/** Hints of a tool that are set, in words. */
function hintsOf({ definition }: EntryPlan): readonly string[] {
  const { annotations } = definition;
  if (!isObject(annotations)) return [];
  return Object.entries(annotations)
    .filter(([, value]) => typeof value === "boolean")
    .map(([name, value]) => `${name}: ${String(value)}`);
}

function markdownPage(plan: ContractPlan): string {
  const { instructions } = plan.locked;
  const sections = LISTS.flatMap((list) => {
    const entries = plan.entries[list];
    if (entries.length === 0) return [];
    return [`## ${titleOf(list)}`, ...entries.flatMap(markdownEntry)];
  });
  const blocks = [
    `<!-- ${origin(plan)} -->`,
    `# ${inlineText(plan.server, 80)}`,
    ...(instructions === undefined ? [] : [codeBlock(instructions)]),
    ...sections,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function markdownEntry(entry: EntryPlan): readonly string[] {
  const rows = rowsOf(entry.input).map(({ name, type, isRequired, doc }) =>
    [
      "",
      codeCell(name === "" ? '""' : name),
      codeCell(type),
      isRequired ? "yes" : "",
      inlineText(doc, 500),
      "",
    ]
      .join(" | ")
      .trim(),
  );
  const table = ["| Argument | Type | Required | Meaning |", "| --- | --- | --- | --- |", ...rows];
  const hints = hintsOf(entry).map((hint) => markdownCode(hint));
  return [
    `### ${markdownCode(entry.key)}`,
    ...(entry.doc === undefined ? [] : [codeBlock(entry.doc)]),
    ...(hints.length === 0 ? [] : [`Hints: ${hints.join(", ")}`]),
    ...(rows.length === 0 ? [] : [table.join("\n")]),
    ...rowsText(entry.output),
  ];
}

function rowsText(output: NamedTypes | undefined): readonly string[] {
  const rows = rowsOf(output);
  if (rows.length === 0) return [];
  const lines = rows.map(({ name, type }) => `- ${markdownCode(name)}: ${markdownCode(type)}`);
  return ["Structured result:", lines.join("\n")];
}

const STYLE =
  "body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap}td,th{text-align:left;vertical-align:top;padding:.2rem 1rem .2rem 0}";

function htmlPage(plan: ContractPlan): string {
  const title = htmlText(plan.server);
  const { instructions } = plan.locked;
  const sections = LISTS.flatMap((list) => {
    const entries = plan.entries[list];
    if (entries.length === 0) return [];
    return [`<h2>${titleOf(list)}</h2>`, ...entries.map((entry) => htmlEntry(list, entry))];
  });
  return [
    `<!-- ${origin(plan)} -->`,
    "<!doctype html>",
    '<html lang="en">',
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${title}</title><style>${STYLE}</style>`,
    `<h1>${title}</h1>`,
    ...(instructions === undefined ? [] : [`<pre>${htmlText(instructions)}</pre>`]),
    ...sections,
    "</html>",
    "",
  ].join("\n");
}

function htmlEntry(list: ContractList, entry: EntryPlan): string {
  const rows = rowsOf(entry.input).map(
    ({ name, type, isRequired, doc }) =>
      `<tr><td><code>${htmlText(name)}</code></td><td><code>${htmlText(type)}</code></td><td>${isRequired ? "required" : ""}</td><td>${htmlText(doc)}</td></tr>`,
  );
  const results = rowsOf(entry.output).map(
    ({ name, type }) => `<li><code>${htmlText(name)}</code>: <code>${htmlText(type)}</code></li>`,
  );
  const hints = hintsOf(entry).map((hint) => `<code>${htmlText(hint)}</code>`);
  return [
    `<section><h3 title="${FAMILIES[list].noun}"><code>${htmlText(entry.key)}</code></h3>`,
    ...(entry.doc === undefined ? [] : [`<pre>${htmlText(entry.doc)}</pre>`]),
    ...(hints.length === 0 ? [] : [`<p>${hints.join(" ")}</p>`]),
    ...(rows.length === 0 ? [] : [`<table>${rows.join("")}</table>`]),
    ...(results.length === 0 ? [] : [`<p>Structured result:</p><ul>${results.join("")}</ul>`]),
    "</section>",
  ].join("\n");
}

/** Foreign code within a line. */
export function markdownCode(text: string): string {
  return text.trim() === "" ? codeSpan(JSON.stringify(text)) : codeSpan(text);
}
