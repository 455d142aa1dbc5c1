import { beforeAll, describe, expect, it } from "vitest";
import { diff } from "../../generator/diff/diff.js";
import type { ProtocolDiff } from "../../generator/diff/protocol-diff.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { futureFacts, futureSchema } from "../future/future-schema.js";
import { plain, textOf } from "./shared-site.js";
import {
  bundledExtensionInputs,
  bundledInputs,
  extensionInput,
  ownInput,
  schemaOf,
  siteOf,
} from "./site.js";

const inputs = bundledInputs();
const ids = inputs.map(({ protocol }) => protocol.revision);
const pairs = ids.slice(1).map((to, index) => [ids[index]!, to] as const);
let site: readonly OutputFile[];

beforeAll(() => {
  site = siteOf(inputs);
});

function protocolOf(id: string) {
  return inputs.find((one) => one.protocol.revision === id)!.protocol;
}

/** Returns the changes from one revision to the next that the pages of a kind show, as `name: key`. */
function shown(kind: "method" | "type", to: string): readonly string[] {
  const pages = site.filter(({ path }) => path.startsWith(`${kind}/`) && path.endsWith(".html"));
  return pages.flatMap(({ text }) => {
    const name = plain(/<h1>(.*?)<\/h1>/.exec(text)![1]!);
    const [, step = ""] = text.split(`<li data-to="${to}"`);
    const [changes = ""] = step.split("</ul>");
    return [...changes.matchAll(/ data-key="([^"]*)"/g)].map(
      ([, key]) => `${name}: ${plain(key!)}`,
    );
  });
}

/** Returns the changes of types that the diff states. */
function stated(found: ProtocolDiff): readonly string[] {
  const { types, members, heritage, deprecated, constants } = found;
  return [
    ...types.added.map((name) => `${name}: types added`),
    ...types.removed.map((name) => `${name}: types removed`),
    ...types.renamed.flatMap(({ from, to }) => [
      `${from}: types renamed ${to}`,
      `${to}: types renamed from ${from}`,
    ]),
    ...types.successors.flatMap(({ from, to }) => [
      `${from}: types successors ${to}`,
      `${to}: types successors from ${from}`,
    ]),
    ...types.kinds.map(({ name }) => `${name}: types kinds`),
    ...members.map(({ type, change, path }) => `${type}: members ${change} ${path.join(".")}`),
    ...heritage.map(({ name }) => `${name}: heritage`),
    ...deprecated.map((place) => {
      const [name, ...path] = place.split(".");
      return `${name}: deprecated ${path.join(".")}`;
    }),
    ...constants.flatMap(({ name, from, to, origin }) =>
      origin === "schema" ? `${name}: constants ${from} ${to}` : [],
    ),
  ];
}

describe.each(pairs)("the history from %s to %s", (from, to) => {
  const found = diff(protocolOf(from), protocolOf(to));

  it("has on the pages of types what the diff has, member by member", () => {
    expect(stated(found).length).toBeGreaterThan(10);
    expect(shown("type", to).toSorted()).toEqual(stated(found).toSorted());
  });

  it("has on the pages of methods what the diff has", () => {
    const expected = found.methods.flatMap(({ method, change, aspects }) =>
      change === "changed"
        ? aspects.map(({ aspect }) => `${method}: methods changed ${aspect}`)
        : [`${method}: methods ${change}`],
    );
    expect(shown("method", to).toSorted()).toEqual(expected.toSorted());
  });
});

const common = (title: string) => `
/** A note. */
export interface Note { id: string; ${title} }
export interface GetNoteRequest extends Request { method: "notes/get"; params: { id: string } }
export interface GetNoteResult extends Result { note: Note }
`;

describe("an unseen revision", () => {
  const ID = "2027-03-31";
  const first = schemaOf(common("title?: string"), ["GetNote"]);
  const second = schemaOf(
    `${common("title: string; colour?: Colour")}
/** A colour. */
export type Colour = "red" | "green";
export interface FindNotesRequest extends Request { method: "notes/find"; params: { words: string } }
export interface FindNotesResult extends Result { notes: Note[] }
`,
    ["GetNote", "FindNotes"],
  );

  it("adds its pages, and to old ones only history and switches", () => {
    const before = siteOf([ownInput(first, "2026-01-01")]);
    const after = siteOf([ownInput(first, "2026-01-01"), ownInput(second, ID)]);
    const paths = new Set(after.map(({ path }) => path));
    expect(before.filter(({ path }) => !paths.has(path))).toEqual([]);
    expect(paths).toContain("method/notes-find.html");
    expect(paths).toContain("type/Colour.html");
    for (const { path, text: page } of before) {
      if (!/^(?:type|method)\/.*\.html$/.test(path)) continue;
      const now = after.find((one) => one.path === path)!.text;
      expect(variant(now, "2026-01-01")).toBe(variant(page, "2026-01-01"));
    }
    const note = after.find(({ path }) => path === "type/Note.html")!.text;
    expect(plain(note)).toContain("colour?: Colour");
    expect(plain(note)).toContain("title: optional → required");
  });
});

describe("the invented revision of test/future", () => {
  const ID = "2027-03-31";
  const facts = readFacts(futureFacts(ID), "facts.json", new Diagnostics())!;
  const invented = { ...ownInput(futureSchema(), ID, facts), facts };
  let after: readonly OutputFile[];
  beforeAll(() => {
    after = siteOf([...inputs, invented]);
  });

  it("adds pages of what it has, and removes none", () => {
    const paths = new Set(after.map(({ path }) => path));
    expect(site.filter(({ path }) => !paths.has(path)).map(({ path }) => path)).toEqual([]);
    expect([...paths]).toEqual(
      expect.arrayContaining([
        "method/notes-search.html",
        `changes/2026-07-28-to-${ID}.html`,
        `changes/2024-11-05-to-${ID}.html`,
      ]),
    );
    expect(plain(textOf(after, "index.html"))).toContain(ID);
  });

  it("changes nothing that the pages of the older revisions say", () => {
    const changed = site.flatMap(({ path, text }) => {
      if (!/^(?:type|method)\/.*\.html$/.test(path)) return [];
      const now = textOf(after, path);
      return [...text.matchAll(/ id="at-([\d-]+)" data-at/g)].flatMap(([, id = ""]) => {
        const isSame = variant(now, id) === variant(text, id);
        return isSame ? [] : [`${path} at ${id}`];
      });
    });
    expect(changed).toEqual([]);
  });
});

it("an unseen extension adds its page, and changes only the lists of extensions and of pages", () => {
  const revisions = inputs.slice(-1);
  const maps = `
import type { JSONRPCRequest, Result, Tool } from "../../2026-07-28/schema.js";
/** A place on a map. */
export interface Place { name: string; tool?: Tool }
/** Requests a place. */
export interface FindPlaceRequest extends JSONRPCRequest { method: "maps/find"; params: { words: string } }
export interface FindPlaceResult extends Result { place: Place }
export type ClientRequest = FindPlaceRequest;
`;
  const unseen = extensionInput("com.example/maps", "2026-07-28", maps);
  const bundled = bundledExtensionInputs();
  const before = siteOf(revisions, { extensions: bundled });
  const texts = new Map(before.map(({ path, text }) => [path, text]));
  const now = siteOf(revisions, { extensions: [...bundled, unseen] });
  const page = "extension/com.example-maps";
  expect(now.filter(({ path, text }) => texts.get(path) !== text).map(({ path }) => path)).toEqual(
    expect.arrayContaining([`${page}.html`, `${page}.md`]),
  );
  const others = now.filter(({ path, text }) => !path.startsWith(page) && texts.get(path) !== text);
  expect(others.map(({ path }) => path).toSorted()).toEqual([
    "assets/search-index.js",
    "extensions.html",
    "extensions.md",
    "llms.txt",
  ]);
  expect(now).toHaveLength(before.length + 2);
  expect(plain(textOf(now, `${page}.html`))).toContain("A place on a map.");
});

/** Returns the part of a page that belongs to a revision. */
function variant(page: string, id: string): string {
  const start = page.indexOf(`id="at-${id}"`);
  expect(start).toBeGreaterThan(0);
  return page.slice(start, page.indexOf("</section>", start));
}
