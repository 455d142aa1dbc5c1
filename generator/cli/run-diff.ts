import { diff } from "../diff/diff.js";
import { renderMarkdown } from "../diff/render-markdown.js";
import { renderText } from "../diff/render-text.js";
import type { Context, Values } from "./command.js";
import type { Outcome } from "./outcome.js";
import { asExtension, readFrom, type ReadProtocol } from "./read-protocol.js";
import { protocolSource } from "./revision-source.js";
import { paint, type Style, type Text } from "./text.js";

const STYLES: Readonly<Record<string, Style>> = { "+": "green", "-": "red", "~": "yellow" };

/** `diff`: what changed between two revisions, files included. */
export function runDiff(values: Values, { diagnostics, progress }: Context): Outcome | undefined {
  const sources = ["from", "to"].map((name) =>
    protocolSource(values.text(name) ?? "", diagnostics),
  );
  const extension = sources.find((source) => source?.extends !== undefined);
  const [from, to] = sources.map((source) => {
    if (source === undefined) return undefined;
    progress.step(`Reading ${source.isBundled ? source.revision : source.schema}`);
    return readFrom(extension ? asExtension(source, extension) : source, diagnostics);
  });
  if (!from || !to) return undefined;
  const named = { ...diff(from.protocol, to.protocol), from: nameOf(from), to: nameOf(to) };
  const text = values.flag("markdown") ? renderMarkdown(named) : renderText(named);
  const lines = text.trimEnd().split("\n");
  return { data: { diff: named }, lines: values.flag("markdown") ? lines : lines.map(colored) };
}

/** A file is called what the user called it. */
function nameOf({ from }: ReadProtocol): string {
  return from.isBundled ? from.revision : from.schema;
}

function colored(line: string): Text {
  const style = STYLES[/^ {2}([-+~]) /.exec(line)?.[1] ?? ""];
  return style ? paint(style, line) : line;
}
