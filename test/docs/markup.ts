import type { OutputFile } from "../../generator/plan/file-plan.js";
import { plain } from "./shared-site.js";

/** Texts that try to become markup, scripts or links. */
export const EVIL = [
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

/** The tags that the templates and the Markdown renderer write. */
const TAGS = new Set(
  (
    "html head meta title link script body a header form input kbd ul li ol div nav p main footer code pre span h1 h2 h3 h4 " +
    "section dl dt dd strong em table thead tbody tr th td article blockquote hr br s"
  ).split(" "),
);

/** Returns the foreign markup in a site's pages: tags, handlers, scripts, and links with unusual schemes. */
export function markupIn(site: readonly OutputFile[]): readonly string[] {
  return site.flatMap(({ path, text }) => {
    if (!path.endsWith(".html")) return [];
    const own = text.replace(/^<!doctype html>\n<!--.*?-->/, "");
    const tags = [...own.matchAll(/<\/?([a-z][^\s>/]*)([^>]*)>/gi)]
      .filter(([, tag, rest]) => !TAGS.has(tag!) || /\son\w*=/i.test(rest!.replace(/"[^"]*"/g, "")))
      .map(([tag]) => tag);
    const scripts = [...own.matchAll(/<script[^>]*>/g)].slice(2).map(([tag]) => tag);
    const links = [...own.matchAll(/ (?:href|src)="([^"]*)"/g)]
      .map(([, to]) => plain(to!))
      .filter((to) => /^[a-z][a-z\d+.-]*:/i.test(to) && !to.startsWith("https://"));
    return [...tags, ...scripts, ...links].map((found) => `${path}: ${found}`);
  });
}

/** Returns the HTML and unusual links in a site's Markdown, outside code. */
export function markupInMarkdown(site: readonly OutputFile[]): readonly string[] {
  return site.flatMap(({ path, text }) => {
    if (!path.endsWith(".md") && path !== "llms.txt") return [];
    const outside = text
      .replace(/^<!--.*?-->/m, "")
      .replace(/^(`{3,}).*?^\1/gms, "")
      .replace(/(`+)[^`].*?\1/g, "");
    const found = outside.match(/<[a-z/!]|(?<!\\)\]\((?!https:|[\w./#%-]+\))/gi) ?? [];
    return found.map((one) => `${path}: ${one}`);
  });
}
