import Handlebars from "handlebars";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../bundled/bundled.js";

const compiled = new Map<string, HandlebarsTemplateDelegate>();

/**
 * Fills a template of `templates`, which is identified by its path without `.hbs`. Templates contain no logic:
 * they may only use `each`, and `if` with a boolean.
 *
 * @throws Error if the template uses a name that the view does not have
 */
export function renderTemplate(name: string, view: object): string {
  const template = compiled.get(name) ?? compileTemplate(readTemplate(name));
  compiled.set(name, template);
  return template(view);
}

/** Compiles the text of a template, with normalized line endings. */
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

/** Pads cells so that columns line up. The last cell of a row, and empty cells at its end, are not padded. */
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
