import { describe, expect, it } from "vitest";
import { htmlText } from "../../generator/emit/printer/page-text.js";
import { EVIL, markupIn, markupInMarkdown } from "./markup.js";
import { plain, searchOf, textOf } from "./shared-site.js";
import { ownInput, schemaOf, siteOf } from "./site.js";

/** Creates a comment that cannot end early. */
const comment = (text: string): string =>
  `/** ${text.replaceAll("*/", "* /").replaceAll("\n", "\n * ")} */`;

const schema = (texts: readonly string[]): string =>
  schemaOf(
    `
${comment(texts.join("\n\n"))}
export interface Note {
  ${comment(texts.join("\n\n"))}
  "<img src=x onerror=alert(1)>": string;
  "__proto__"?: string;
  "constructor"?: { "</script>": "\\u202e</script>" };
  "a b\\"c'd#?%": number;
}
/** Reads. @deprecated ${texts[0]} */
export interface GetNoteRequest extends Request {
  method: "../../<script>alert(1)</script>";
  params: { id: string };
}
export interface GetNoteResult extends Result { note: Note }
`,
    ["GetNote"],
  );

describe("hostile texts", () => {
  const site = siteOf([ownInput(schema(EVIL), "draft")], {
    guide: [{ path: "README.md", text: `# Guide\n\n${EVIL.join("\n\n")}` }],
    words: ["--out", "</code><script>alert(1)</script>"],
  });

  it("become no tags, no attributes, and no links but those with https", () => {
    expect(markupIn(site)).toEqual([]);
  });

  it("are shown, with invisible characters as their codes", () => {
    const page = textOf(site, "type/Note.html");
    expect(plain(page)).toContain("<img src=x onerror=alert(1)>");
    expect(page).toContain("\\u202e");
    for (const { text } of site) expect(text).not.toMatch(/\u202e|\0|\p{Surrogate}/u);
  });

  it("are no HTML in Markdown either", () => {
    expect(markupInMarkdown(site)).toEqual([]);
  });

  it("stay within their folder and their index", () => {
    const odd = site.filter(
      ({ path }) => !/^[\w.-]+(?:\/[\w.-]+)?$/.test(path) || path.includes(".."),
    );
    expect(odd).toEqual([]);
    const search = searchOf(site);
    expect(search("__proto__").map(({ name }) => name)).toContain("Note.__proto__");
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});

it("bears a text of ten megabytes", () => {
  const long = `${"[a](b `".repeat(1_500_000)}`;
  const site = siteOf([ownInput(schema(["Text."]), "draft")], {
    guide: [
      { path: "README.md", text: `# Guide\n\n${long}` },
      { path: "deep.md", text: `${"> ".repeat(50_000)}${"*a ".repeat(20_000)}` },
    ],
  });
  expect(textOf(site, "guide.html").length).toBeGreaterThan(10_000_000);
});

it("escapes each character that could end a text", () => {
  expect(htmlText(`<>&"'\u202e\r\n`)).toBe("&lt;&gt;&amp;&quot;&#39;\\u202e\n");
});
