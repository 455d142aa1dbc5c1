import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../programs/workspace.js";

const FILE = join(root, "test/sdk/REPORT.md");

const START = `# Programs of others, moved in

Results of the scripts of this folder; [README.md](README.md) says how to run them. Each replaces its section.
`;

/** Replaces the report section with this title, or adds the section. */
export function writeSection(title: string, lines: readonly string[]): void {
  const text = existsSync(FILE) ? readFileSync(FILE, "utf8") : START;
  const [start = START, ...sections] = text.split(/^(?=## )/m);
  const section = `## ${title}\n\n${lines.join("\n")}\n`;
  const place = sections.findIndex((one) => one.startsWith(`## ${title}\n`));
  if (place < 0) sections.push(section);
  else sections[place] = section;
  writeFileSync(FILE, [start, ...sections].map((one) => `${one.trimEnd()}\n`).join("\n"));
}
