import { pathText } from "../collect/members.js";
import type { Entry, Revision } from "../collect/reference.js";
import { memberTokens } from "../collect/signature.js";
import { code, line, type Line, listed, type Page, type View } from "../page.js";
import { plainText } from "../markup/prose.js";
import { idOf, METHODS, resultTypes, senderText, type Site } from "./site.js";
import { type Row, tablePage } from "./tables.js";

export function comparePage(name: string, page: string, site: Site): Page {
  const { revision, successor } = site.removal(name)!;
  const entry = site.method(name)!;
  const old = versionOf(entry, entry.revisions.at(-1)!);
  const now = versionOf(site.method(successor!)!, revision);
  const title = `${name} and ${successor}`;
  const rows = (part: "params" | "result"): readonly Row[] => {
    const [before, after] = [old, now].map((one) => membersOf(one, part, site));
    const paths = new Set([...before!.keys(), ...after!.keys()]);
    return [...paths].map((path) => ({
      id: idOf(part, path),
      name: code(path),
      text: line((after!.get(path) ?? before!.get(path))!.text),
      cells: cellsOf(before!.get(path)?.type, after!.get(path)?.type),
    }));
  };
  const fact = (label: string, textOf: (one: Version) => string | Line): Row => ({
    id: idOf("message", label),
    name: label,
    text: line(""),
    cells: cellsOf(textOf(old), textOf(now)),
  });
  return tablePage(
    {
      page,
      title,
      intro: `What replaced ${name} in ${revision.id}.`,
      area: METHODS,
      columns: [old, now].map((one) => `${one.method.method}, ${one.revision.id}`),
      groups: [
        {
          title: "Message",
          rows: [
            fact("Sent by", ({ method }) => `${senderText(method)}, as a ${method.kind}`),
            fact("Type", ({ method }) => line(site.named(method.type))),
            fact("Result", ({ method }) => {
              return listed(resultTypes(method).map((type) => site.named(type)));
            }),
            fact("Capability", ({ method }) => method.capability ?? "none"),
          ],
        },
        { title: "Parameters", rows: rows("params") },
        { title: "Result members", rows: rows("result") },
      ],
    },
    site,
  );
}

interface Version {
  readonly method: NonNullable<ReturnType<Revision["methods"]["get"]>>;
  readonly revision: Revision;
}

function versionOf({ name }: Entry, revision: Revision): Version {
  return { method: revision.methods.get(name)!, revision };
}

interface Cell {
  readonly type: View;
  readonly text: string;
}

function membersOf({ method, revision }: Version, part: "params" | "result", site: Site) {
  const rows = site.members(revision, method[part]?.type ?? "");
  const links = site.namesOf(revision);
  return new Map(
    rows.map(({ path, types, doc, optional }): readonly [string, Cell] => {
      const type = code(...memberTokens(types, (name) => links.get(name)));
      const shown = optional ? type : line(type, ", required");
      return [pathText(path), { type: shown, text: plainText(doc?.text ?? "") }];
    }),
  );
}

function cellsOf(before: View | undefined, after: View | undefined): readonly View[] {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  const gone = { tone: "gone", text: "–" };
  return [
    before === undefined ? gone : { tone: "same", text: before },
    after === undefined
      ? gone
      : { tone: isSame ? "same" : before ? "changed" : "new", text: after },
  ];
}
