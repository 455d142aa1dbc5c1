import { headingsOf, plainText } from "../markup/prose.js";
import { address, type Page, type Prose, type View, Slugs } from "../page.js";
import type { GuideFile } from "./guide.js";
import { cardsPage, count } from "./cards-page.js";
import { idOf, type Site } from "./site.js";

export const REQUIREMENTS = "requirements.html";

/** A requirement: `- **ID** (LEVEL; who; revisions): sentence`. */
export interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly who: string;
  readonly revisions: string;
  readonly sentence: string;
  readonly page: string;
}

const LINE = /^- \*\*([\w-]+)\*\* \(([^;)]*); ([^;)]*); ([^)]*)\): (.+)$/gm;

/**
 * Returns the requirements found in Markdown files, which contain one per line. Each file with requirements has a page.
 */
export function requirementsOf(files: readonly GuideFile[]): readonly Requirement[] {
  const slugs = new Slugs();
  return files.flatMap(({ path, text }) => {
    const lines = [...text.matchAll(LINE)];
    if (lines.length === 0) return [];
    const page = `requirements/${slugs.next(path.replace(/\.md$/, ""))}.html`;
    return lines.map(([, id = "", level = "", who = "", revisions = "", sentence = ""]) => {
      return { id, level, who, revisions, sentence, page };
    });
  });
}

/** Returns the requirements that name a method or header in a code span, with or without parameters or a value. */
export function naming(name: string, all: readonly Requirement[]): readonly Requirement[] {
  return all.filter(({ sentence }) =>
    [...sentence.matchAll(/`([^`]+)`/g)].some(([, code = ""]) => code.split(/[\s{(:]/)[0] === name),
  );
}

/**
 * Returns true if a requirement applies to a revision: it names the revision or a range that contains it, or it does
 * not name any known revision.
 */
export function holdsAt(
  { revisions }: Requirement,
  revision: string,
  known: readonly string[],
): boolean {
  const named = known.filter((id) => revisions.includes(id));
  const [first, last] = [named[0], named.at(-1)].map((id) => known.indexOf(id ?? ""));
  if (named.length === 0 || named.includes(revision)) return true;
  const at = known.indexOf(revision);
  if (revisions.includes(`from ${named[0]}`)) return at >= first!;
  return revisions.includes(" to ") && at >= first! && at <= last!;
}

export function addressOf({ id, page }: Requirement): string {
  return `${page}#${encodeURIComponent(idOf(id))}`;
}

export function requirementView(requirement: Requirement, site: Site): View {
  const { id, level, who, revisions } = requirement;
  return {
    id: idOf(id),
    label: id,
    address: address(addressOf(requirement)),
    level,
    detail: `${who}; ${revisions}`,
    text: sentenceOf(requirement, site),
  };
}

function sentenceOf({ sentence }: Requirement, site: Site): Prose {
  return { node: "prose", markdown: sentence, names: site.allNames() };
}

export function requirementPages(
  files: readonly GuideFile[],
  all: readonly Requirement[],
  site: Site,
): readonly Page[] {
  if (all.length === 0) return [];
  const pages = [...new Set(all.map(({ page }) => page))];
  const withLines = files.filter(({ text }) => text.search(LINE) >= 0);
  const titled = pages.map((page, index) => {
    const text = withLines[index]?.text ?? "";
    const title = headingsOf(text.slice(0, 2_000), "").find(({ level }) => level === 1)?.text;
    return { page, title: title ?? page, own: all.filter((one) => one.page === page) };
  });
  const list = cardsPage({
    page: REQUIREMENTS,
    title: "Requirements",
    summary: "What the specification demands, by topic.",
    groups: [
      {
        title: "Topics",
        cards: titled.map(({ page, title, own }) => ({
          page,
          title,
          text: count(own.length, "requirement"),
        })),
      },
    ],
  });
  const topics = titled.map(({ page, title, own }): Page => ({
    path: page.replace(/\.html$/, ""),
    title: `Requirements: ${title}`,
    summary: `${count(own.length, "requirement")}.`,
    area: REQUIREMENTS,
    template: "requirements",
    outline: [],
    entries: own.map((one) => ({
      name: one.id,
      kind: "requirement",
      to: addressOf(one),
      text: plainText(one.sentence),
    })),
    view: { title, requirements: own.map((one) => requirementView(one, site)) },
  }));
  return [list, ...topics];
}
