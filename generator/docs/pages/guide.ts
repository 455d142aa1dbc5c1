import { posix } from "node:path";
import { headingsOf, plainText } from "../markup/prose.js";
import { address, type Page, type SearchEntry, Slugs } from "../page.js";
import type { Site } from "./site.js";

export const GUIDE = "guide.html";

export interface GuideFile {
  /** The path below the guide's folder, with `/` as the separator, such as `start.md`. */
  readonly path: string;
  readonly text: string;
}

/** Returns a guide's pages. Links between the files become links between the pages. */
export function guidePages(files: readonly GuideFile[], site: Site): readonly Page[] {
  const slugs = new Slugs();
  const pages = new Map(
    files.map(({ path }) => [
      path,
      path === "README.md" ? GUIDE : `guide/${slugs.next(path.replace(/\.md$/, ""))}.html`,
    ]),
  );
  const named = site.allNames();
  return files.map(({ path, text }): Page => {
    const page = pages.get(path)!;
    const headings = headingsOf(text, "");
    const title = headings.find(({ level }) => level === 1)?.text ?? path;
    const resolve = (destination: string): string | undefined => {
      const [file = "", hash] = destination.split("#");
      if (file.startsWith("/")) return undefined;
      const target = file === "" ? page : pages.get(posix.join(posix.dirname(path), file));
      if (target === undefined) return undefined;
      return hash === undefined ? target : `${target}#${hash}`;
    };
    return {
      path: page.replace(/\.html$/, ""),
      title,
      summary: plainText(firstParagraph(text)),
      area: GUIDE,
      template: "guide",
      outline: headings.filter(({ level }) => level === 2),
      entries: headings.map((heading): SearchEntry => ({
        name: heading.level === 1 ? title : `${title}: ${heading.text}`,
        kind: "guide",
        to: heading.level === 1 ? page : `${page}#${encodeURIComponent(heading.id)}`,
        text: heading.body,
      })),
      view: {
        isStart: page === GUIDE,
        start: address(GUIDE),
        text: { node: "prose", markdown: text, names: named, resolve, idPrefix: "" },
      },
    };
  });
}

function firstParagraph(markdown: string): string {
  return markdown.split(/\n\s*\n/).find((block) => block !== "" && !/^[#|>`<-]/.test(block)) ?? "";
}
