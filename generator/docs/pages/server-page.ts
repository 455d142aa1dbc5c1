import type { ServerDescription, ServerEntry, ServerField } from "../collect/server.js";
import {
  code,
  line,
  listed,
  listing,
  type Page,
  part,
  type Part,
  type SearchEntry,
  Slugs,
  type View,
} from "../page.js";
import { cardsPage, count } from "./cards-page.js";
import { fragment, idOf } from "./site.js";

export const SERVERS = "servers.html";

export function serverPages(servers: readonly ServerDescription[]): readonly Page[] {
  if (servers.length === 0) return [];
  const slugs = new Slugs();
  const pages = servers.map((server) => serverPage(server, `server/${slugs.next(server.name)}`));
  return [serversPage(servers, pages), ...pages];
}

function serversPage(servers: readonly ServerDescription[], pages: readonly Page[]): Page {
  const cards = servers.map(({ name, lists, changes }, index) => ({
    page: `${pages[index]!.path}.html`,
    title: name,
    text: lists.map(({ title, entries }) => `${entries.length} ${title}`).join(", "),
    more: changes === undefined ? "" : count(changes.length, "change"),
  }));
  return cardsPage({
    page: SERVERS,
    title: "Servers",
    summary: "Servers, as their contracts state them.",
    groups: [{ title: "Servers", cards }],
  });
}

export function serverPage(server: ServerDescription, path: string): Page {
  const { name, facts, digest, instructions, lists, changes } = server;
  const page = `${path}.html`;
  return {
    path,
    title: name,
    summary: `${name}: ${lists.map(({ title }) => title.toLowerCase()).join(", ")}`,
    area: SERVERS,
    template: "server",
    outline: [
      ...lists.map(({ title }) => ({ id: listId(title), text: title })),
      ...(changes ? [{ id: "changes", text: "Changes" }] : []),
    ],
    entries: [
      { name, kind: "server", to: page, text: instructions ?? "" },
      ...lists.flatMap(({ entries }) =>
        entries.map(({ noun, key, doc }): SearchEntry => ({
          name: key,
          kind: noun,
          to: `${page}#${fragment(noun, key)}`,
          text: `${name} ${doc ?? ""}`,
        })),
      ),
    ],
    view: {
      name,
      facts: [...facts, ["Digest", digest] as const].map(([term, value]) => ({ term, value })),
      hasInstructions: instructions !== undefined,
      instructions: text(instructions ?? ""),
      lists: lists.map(({ title, entries }) => ({
        id: listId(title),
        title,
        entries: entries.map(entryView),
      })),
      hasChanges: changes !== undefined,
      isSame: changes?.length === 0,
      changes: (changes ?? []).map(({ place, message, ...change }) => ({
        class: change.class,
        place: code(place),
        message,
      })),
    },
  };
}

function listId(title: string): string {
  return idOf("list", title.toLowerCase());
}

/** Returns a server's text as a listing, so that line breaks are kept. */
function text(of: string): View {
  return listing([{ text: of }], "text");
}

function entryView({ noun, key, doc, hints, input, output }: ServerEntry): View {
  const id = idOf(noun, key);
  return {
    id,
    fragment: fragment(noun, key),
    label: key,
    name: code(key),
    noun,
    hasDoc: doc !== undefined,
    doc: text(doc ?? ""),
    hasHints: hints.length > 0,
    hints: line("Hints: ", ...listed(hints.map((hint) => code(hint))).parts),
    hasInput: input.length > 0,
    input: fieldsPart(input, [noun, key, "arguments"]),
    hasOutput: output.length > 0,
    output: fieldsPart(output, [noun, key, "result"]),
  };
}

function fieldsPart(fields: readonly ServerField[], scope: readonly string[]): Part {
  return part("members", {
    rows: fields.map(({ name, type, isRequired, doc }) => ({
      id: idOf(...scope, name),
      fragment: fragment(...scope, name),
      depth: "1",
      name,
      code: code(name),
      type: code(type),
      isRequired,
      hasSince: false,
      hasLimits: false,
      isDeprecated: false,
      isInherited: false,
      doc,
      hasText: doc !== "",
      text: doc,
    })),
  });
}
