import { describe, expect, it } from "vitest";
import { htmlText } from "../../generator/emit/printer/page-text.js";
import { ownInput, plain, schemaOf, searchOf, siteOf, textOf } from "./site.js";

const EVIL = [
  "<img src=x onerror=alert(1)>",
  "</script><script>alert(1)</script>",
  "<svg/onload=alert(1)>",
  "[click](javascript:alert(1)) and [data](data:text/html,x) and [http](http://example.com/)",
  "[page](name:javascript:alert(1)) ![pixel](https://example.com/pixel.png) <https://example.com/x>",
  "[ref]\n\n[ref]: javascript:alert(1)",
  "--> <b>bold</b> <!--",
  "\u202egnp.exe \u0000 \ud800",
  "{{origin}} {{#each x}} </code></pre>",
];

/** A comment that cannot end early. */
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

/** Tags and attributes that the templates and the Markdown renderer write. */
const TAGS = new Set(
  (
    "html head meta title link script body a header form input kbd ul li ol div nav p main footer code pre span h1 h2 h3 " +
    "section dl dt dd strong em table thead tbody tr th td article blockquote hr br s"
  ).split(" "),
);

describe("hostile texts", () => {
  const site = siteOf([ownInput(schema(EVIL), "draft")], {
    guide: [{ path: "README.md", text: `# Guide\n\n${EVIL.join("\n\n")}` }],
    words: ["--out", "</code><script>alert(1)</script>"],
  });
  const html = site.filter(({ path }) => path.endsWith(".html"));

  it("become no tags and no attributes", () => {
    for (const { path, text } of html) {
      const tags = [
        ...text
          .replace(/^<!doctype html>\n<!--.*?-->/, "")
          .matchAll(/<\/?([a-z][^\s>/]*)([^>]*)>/gi),
      ];
      const wrong = tags.filter(
        ([, tag, rest]) => !TAGS.has(tag!) || /\son\w*=/i.test(rest!.replace(/"[^"]*"/g, "")),
      );
      expect(wrong.map(([tag]) => `${path}: ${tag}`)).toEqual([]);
      const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
      expect(scripts.length).toBe(2);
    }
  });

  it("become no links but those with https", () => {
    for (const { text } of html) {
      const links = [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to]) => plain(to!));
      const odd = links.filter(
        (to) => /^[a-z][a-z\d+.-]*:/i.test(to) && !to.startsWith("https://"),
      );
      expect(odd).toEqual([]);
    }
  });

  it("are shown, with invisible characters as their codes", () => {
    const page = textOf(site, "type/Note.html");
    expect(plain(page)).toContain("<img src=x onerror=alert(1)>");
    expect(page).toContain("\\u202e");
    for (const { text } of site) expect(text).not.toMatch(/\u202e|\0|\p{Surrogate}/u);
  });

  it("are no HTML in Markdown either", () => {
    for (const { path, text } of site) {
      if (!path.endsWith(".md") && path !== "llms.txt") continue;
      const outside = text
        .replace(/^<!--.*?-->/m, "")
        .replace(/^(`{3,}).*?^\1/gms, "")
        .replace(/(`+)[^`].*?\1/g, "");
      expect(outside).not.toMatch(/<[a-z/!]/i);
      expect(outside).not.toMatch(/\]\((?!https:|[\w./#%-]+\))/);
    }
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
