import { diff } from "../../diff/diff.js";
import { groupedChanges, sideText } from "../../diff/impact/grouped-changes.js";
import type { ProtocolChange, Side } from "../../diff/impact/protocol-change.js";
import { protocolChanges } from "../../diff/impact/protocol-changes.js";
import { renderMarkdown, renderText } from "../../diff/render.js";
import { classLines, classSummary, failsOn } from "../change-classes.js";
import type { Context, Values } from "../command.js";
import { inheritedToJson } from "../inherited-facts.js";
import type { Outcome } from "../outcome.js";
import { asExtension, readFrom, type ReadProtocol } from "../read-protocol.js";
import { protocolSource } from "../revision-source.js";
import { paint, type Style, type Text } from "../text.js";

const STYLES: Readonly<Record<string, Style>> = { "+": "green", "-": "red", "~": "yellow" };

export function runDiff(values: Values, { diagnostics, progress }: Context): Outcome | undefined {
  const sources = [
    protocolSource(values.text("from")!, values.text("from-facts"), diagnostics),
    protocolSource(values.text("to")!, values.text("facts"), diagnostics),
  ];
  const extension = sources.find((source) => source?.extends !== undefined);
  const [from, to] = sources.map((source) => {
    if (source === undefined) return undefined;
    progress.step(`Reading ${source.isBundled ? source.revision : source.schema}`);
    return readFrom(extension ? asExtension(source, extension) : source, diagnostics);
  });
  if (!from || !to) return undefined;
  const found = diff(from.protocol, to.protocol);
  const named = { ...found, from: nameOf(from), to: nameOf(to) };
  const side = values.text("side") as Side | undefined;
  const changes = protocolChanges(from.protocol, to.protocol, found).filter(
    ({ sides }) => side === undefined || sides.includes(side),
  );
  const limit = values.text("fail-on");
  const isMarkdown = values.flag("markdown");
  const text = isMarkdown ? renderMarkdown(named, changes) : renderText(named);
  const lines = text.trimEnd().split("\n");
  const inherited = [from, to].flatMap(({ protocol }) => protocol.inherited ?? []);
  return {
    data: {
      diff: named,
      ...(inherited.length > 0 && { inherited: inherited.map(inheritedToJson) }),
      changes: changes.map((change) => ({ ...change, detail: undefined })),
    },
    lines: isMarkdown ? lines : [...lines.map(colored), ...impactLines(changes)],
    summary: [
      classSummary(changes),
      ...inherited.map(
        (facts) => `\nA schema without facts was compared with those of ${facts.from}.`,
      ),
    ],
    drift: limit !== undefined && failsOn(changes, limit),
  };
}

/** Returns the changes by class. Changes that differ only in their name share a line. */
function impactLines(changes: readonly ProtocolChange[]): readonly Text[] {
  if (changes.length === 0) return [];
  const lines = classLines(groupedChanges(changes), (group) => {
    const { names, pointer, message, undecided } = group;
    const place = `${names.join(", ")}${pointer === "" ? "" : ` ${pointer}`}`;
    return `${sideText(group).padEnd(6)} ${place}: ${undecided ? "undecided: " : ""}${message}`;
  });
  return ["", "Changes by class, and who has to change", ...lines];
}

function nameOf({ from }: ReadProtocol): string {
  return from.isBundled ? from.revision : from.schema;
}

function colored(line: string): Text {
  const style = STYLES[/^ {2}([-+~]) /.exec(line)?.[1] ?? ""];
  return style ? paint(style, line) : line;
}
