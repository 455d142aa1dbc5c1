import { readFileSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { interop } from "../core/places.js";
import type { SectionName } from "../core/command-line.js";
import type { Part } from "../core/row.js";

const HEAD = `# Interoperability report

Written by \`npm run interop\`; [README.md](README.md) says how to read it.
`;

const begin = (name: SectionName) => `<!-- ${name} -->`;
const end = (name: SectionName) => `<!-- end of ${name} -->`;

/** Returns a part as Markdown. */
export function pageOf({ title, about, head, rows }: Part): string {
  const failed = rows.filter(({ failures }) => failures.length > 0).length;
  return [
    `## ${title}`,
    `${rows.length} rows, ${failed === 0 ? "none fails" : `**${failed} fail**`}. Node ${process.version}, ${platform()} ${arch()}.`,
    about,
    [line(head), line(head.map(() => "---")), ...rows.map(({ cells }) => line(cells))].join("\n"),
  ].join("\n\n");
}

const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;

/** Returns a cell as one line, and cuts texts that would hide the table. */
function escaped(cell: string): string {
  const texts = cell
    .split("; ")
    .map((text) => (text.length > 160 ? `${text.slice(0, 159)}…` : text));
  return texts
    .join("; ")
    .replace(/\s+/g, " ")
    .replace(/[|<>`_[\]]/g, "\\$&");
}

/** Returns the report with one part replaced, or added in its place. */
export function withPart(
  report: string,
  name: SectionName,
  page: string,
  names: readonly SectionName[],
): string {
  const part = (of: SectionName) => {
    if (of === name) return page.trim();
    const [from, to] = [report.indexOf(begin(of)), report.indexOf(end(of))];
    return from < 0 || to < 0 ? "" : report.slice(from + begin(of).length, to).trim();
  };
  const parts = names.map((of) => [of, part(of)] as const).filter(([, text]) => text !== "");
  const marked = parts.map(([of, text]) => `${begin(of)}\n\n${text}\n\n${end(of)}\n`);
  return [HEAD, ...marked].join("\n");
}

/** Replaces one part of REPORT.md. */
export function writePart(name: SectionName, part: Part, names: readonly SectionName[]): void {
  const path = join(interop, "REPORT.md");
  let report = "";
  try {
    report = readFileSync(path, "utf8");
  } catch {
    // The first report.
  }
  writeFileSync(path, withPart(report, name, pageOf(part), names));
}
