import Handlebars from "handlebars";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../bundled/bundled.js";

const compiled = new Map<string, HandlebarsTemplateDelegate>();

/**
 * Fills a template, which is identified by its path without `.hbs`. Templates contain no logic except `each`, and
 * `if` with a boolean.
 *
 * @throws Error if the template prints a member that the view lacks
 */
export function renderTemplate(name: string, view: object): string {
  const template = compiled.get(name) ?? compileTemplate(readTemplate(name));
  compiled.set(name, template);
  return template(view);
}

export function compileTemplate(text: string): HandlebarsTemplateDelegate {
  return Handlebars.compile(text.replaceAll("\r\n", "\n"), {
    strict: true,
    noEscape: true,
    preventIndent: true,
    knownHelpersOnly: true,
    knownHelpers: { unless: false, with: false, lookup: false, log: false },
  });
}

function readTemplate(name: string): string {
  return readFileSync(join(packageFolder(), "templates", `${name}.hbs`), "utf8");
}

export function alignColumns(rows: readonly (readonly string[])[], gap = " "): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(gap)
      .trimEnd(),
  );
}
