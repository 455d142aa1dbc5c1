import Handlebars from "handlebars";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../bundled/bundled.js";

type Template = (view: object) => string;

const compiled = new Map<string, Template>();

/**
 * Fills in the template whose path, without `.hbs`, is given. Templates contain no logic except `each`, and `if` with a
 * boolean.
 *
 * @throws Error if the view lacks a member that the template uses
 */
export function renderTemplate(name: string, view: object): string {
  const template = compiled.get(name) ?? compileTemplate(readTemplate(name));
  compiled.set(name, template);
  return template(view);
}

/**
 * `if` and `each`, with a check for missing members. Strict templates reject missing members everywhere else, but the
 * original helpers treat them as false or as empty lists.
 */
const helpers = {
  if: present("if"),
  each: present("each"),
};

function present(name: string): Handlebars.HelperDelegate {
  const helper = Handlebars.helpers[name]!;
  return function (this: unknown, value: unknown, options: Handlebars.HelperOptions) {
    if (value === undefined) throw new Error(`The view lacks a member that {{#${name}}} uses`);
    return helper.call(this, value, options) as unknown;
  };
}

export function compileTemplate(text: string): Template {
  const template = Handlebars.compile(text.replaceAll("\r\n", "\n"), {
    strict: true,
    noEscape: true,
    preventIndent: true,
    knownHelpersOnly: true,
    knownHelpers: { unless: false, with: false, lookup: false, log: false },
  });
  return (view) => template(view, { helpers });
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
