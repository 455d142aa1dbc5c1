import { gzipSync } from "node:zlib";
import { posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { isEdited, isOwned } from "../../generator/output/paths.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { BASE, plain, sharedSite, textOf } from "./shared-site.js";
import { ownInput, schemaOf, siteOf } from "./site.js";

const NOTES = schemaOf(
  `
/** A note. */
export interface Note { id: string; /** Its text. */ text: string; }
export interface GetNoteRequest extends Request { method: "notes/get"; params: { id: string } }
export interface GetNoteResult extends Result { note: Note }
`,
  ["GetNote"],
);

let site: readonly OutputFile[];

beforeAll(async () => {
  site = await sharedSite();
});

const bytes = (text: string) => Buffer.byteLength(text);
const pages = () => site.filter(({ path }) => path.endsWith(".html"));

describe("the files of a site", () => {
  it("are small: the site, each page, and the search index", () => {
    expect(site.reduce((sum, { text }) => sum + bytes(text), 0)).toBeLessThan(12e6);
    const large = pages().filter(({ text }) => bytes(text) > 300_000);
    expect(large.map(({ path }) => path)).toEqual([]);
    expect(gzipSync(textOf(site, "assets/search-index.js")).length).toBeLessThan(600_000);
    const scripts = ["reference", "search"].map((name) => textOf(site, `assets/${name}.js`));
    expect(gzipSync(scripts.join("")).length).toBeLessThan(15_000);
  });

  it("are marked as generated, and sealed", () => {
    expect(site.filter(({ text }) => !isOwned(text)).map(({ path }) => path)).toEqual([]);
    expect(site.filter(({ text }) => isEdited(text)).map(({ path }) => path)).toEqual([]);
    expect(isEdited(textOf(site, "errors.html").replace("<h1>", "<h1> "))).toBe(true);
  });

  it("have one path each, also where case is ignored", () => {
    expect(new Set(site.map(({ path }) => path.toLowerCase())).size).toBe(site.length);
  });
});

describe("every page", () => {
  it("has a strict policy, and loads nothing from other hosts", () => {
    for (const { text } of pages()) {
      expect(text).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'",
      );
      expect(
        text.match(/<(?:script|link(?! rel="canonical")|img|iframe)[^>]*(?:src|href)="https?:/g),
      ).toBeNull();
      expect(text.match(/ (?:style|on\\w+)="/g)).toBeNull();
    }
  });

  it("ends with the command and the digest", () => {
    for (const { text } of pages()) {
      const footer = plain(/<footer>.*<\/footer>/s.exec(text)![0]);
      expect(footer).toMatch(
        /Made with npx mcp-codegen docs .* --out site --base \S+ from .* \(sha256 \w{16}…\)/,
      );
    }
  });

  it("has no dead link, in HTML or Markdown", () => {
    const ids = new Map(
      site.map(({ path, text }) => [
        path,
        new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => plain(id!))),
      ]),
    );
    const dead = site.flatMap(({ path, text }) => {
      const isHtml = path.endsWith(".html");
      if (!isHtml && !path.endsWith(".md")) return [];
      // Code may contain text that looks like a link.
      const own = isHtml
        ? text
        : text.replace(/^\s*(`{3,}).*?^\s*\1/gms, "").replace(/`[^`\n]*`/g, "");
      const links = [...own.matchAll(isHtml ? / href="([^"]*)"/g : /\]\(([^)]*)\)/g)];
      return links.flatMap(([, href]) => {
        const to = plain(href!);
        if (to.startsWith("https://")) return [];
        // The page for missing addresses is served at any depth.
        const [file = "", hash] = to.replace(new URL(BASE).pathname, "").split("#");
        const target = file === "" ? path : posix.join(posix.dirname(path), file);
        const known = ids.get(target);
        if (known === undefined) return [`${path} -> ${to}`];
        const id = hash === undefined ? undefined : decodeURIComponent(hash);
        const isThere = id === undefined || !target.endsWith(".html") || known.has(id);
        return isThere ? [] : [`${path} -> ${to}`];
      });
    });
    expect(dead).toEqual([]);
  });

  it("has no id twice", () => {
    const twice = pages().flatMap(({ path, text }) => {
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}#${id}`);
    });
    expect(twice).toEqual([]);
  });

  it("has a twin in Markdown, and llms.txt lists them", () => {
    const list = textOf(site, "llms.txt");
    for (const { path } of pages()) {
      const twin = path.replace(/html$/, "md");
      expect(textOf(site, twin)).toMatch(/^# /m);
      if (path !== "404.html" && path !== "index.html") expect(list).toContain(`(${BASE}${twin})`);
    }
  });
});

it("names its address only if that is known", () => {
  const base = "https://example.com/reference/";
  const published = siteOf([ownInput(NOTES, "draft")], { base });
  expect(textOf(published, "errors.html")).toContain(
    '<link rel="canonical" href="https://example.com/reference/errors.html">',
  );
  expect(textOf(published, "404.html")).toContain('href="/reference/assets/reference.css"');
  expect(textOf(siteOf([ownInput(NOTES, "draft")]), "errors.html")).not.toContain("canonical");
});

it("makes a site of any schema, without the word MCP where the schema does not have it", () => {
  const own = siteOf([ownInput(NOTES, "draft")]);
  const named = own.filter(({ text }) =>
    /\bMCP\b|Model Context/i.test(text.replaceAll("mcp-codegen", "")),
  );
  expect(named.map(({ path }) => path)).toEqual([]);
  expect(plain(textOf(own, "method/notes-get.html"))).toContain("the client, as a request");
  expect(plain(textOf(own, "type/Note.html"))).toContain("Its text.");
});
