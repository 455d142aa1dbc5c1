import type { Revision } from "../collect/reference.js";
import { address, type Page } from "../page.js";
import { GUIDE } from "./guide.js";
import {
  CAPABILITIES,
  CHANGES,
  ERRORS,
  hasHeaders,
  HEADERS,
  META,
  METHODS,
  type Site,
  TRAITS,
  TYPES,
} from "./site.js";

export function startPage(site: Site, hasGuide: boolean): Page {
  const { name, revisions, methods, types } = site.reference;
  const codes = site.newest.protocol.errorCodes.length;
  return {
    path: "index",
    title: name,
    summary: `Methods, types and errors of the ${name}, and how they changed.`,
    template: "start",
    outline: [],
    entries: [],
    view: {
      name,
      isSeveral: revisions.length > 1,
      count: String(revisions.length),
      revisions: revisions.toReversed().map((revision) => revisionView(revision, site)),
      areas: [
        [METHODS, "Methods", `${methods.length} requests and notifications`],
        [TYPES, "Types", `${types.length} types and constants`],
        [ERRORS, "Error codes", `${codes} in the newest revision`],
        [CAPABILITIES, "Capabilities", "what each side declares, and what needs it"],
        [META, "_meta keys", "names in messages beside their contents"],
        ...(hasHeaders(site.reference)
          ? [[HEADERS, "HTTP headers", "who sends them, when, and since which revision"]]
          : []),
        [TRAITS, "Traits and conventions", "how revisions differ beyond their types"],
        ...(revisions.length > 1
          ? [[CHANGES, "Changes", "from each revision to the next, with a checklist"]]
          : []),
        ...(hasGuide ? [[GUIDE, "Guide", "how to write servers and clients"]] : []),
      ].map(([to, title, text]) => ({ address: address(to!), title: title!, text: text! })),
    },
  };
}

function revisionView(revision: Revision, site: Site) {
  const { id, facts, protocol } = revision;
  const step = site.reference.steps.find((one) => one.to === revision && site.areNeighbours(one));
  const count = (word: "added" | "removed"): number =>
    step?.diff.methods.filter((method) => method.change === word).length ?? 0;
  const counts = [
    [count("added"), "new"],
    [count("removed"), "gone"],
  ] as const;
  const changed = counts.flatMap(([number, word]) => (number === 0 ? [] : `${number} ${word}`));
  return {
    id,
    isNewest: revision === site.newest && site.reference.revisions.length > 1,
    hasTitle: facts.title !== undefined,
    title: facts.title ?? "",
    methods: `${protocol.methods.length} methods${changed.length > 0 ? ` (${changed.join(", ")})` : ""}`,
    types: String(protocol.declarations.length),
    hasStep: step !== undefined,
    changes: address(step?.page ?? ""),
    from: step?.from.id ?? "",
    hasSpecification: facts.specification?.startsWith("https://") === true,
    specification: address(facts.specification ?? ""),
  };
}

/** Returns the page that is shown for addresses that do not exist. Its script suggests similar names. */
export function missingPage(site: Site): Page {
  return {
    path: "404",
    title: "Not found",
    summary: "There is no such page.",
    template: "missing",
    outline: [],
    entries: [],
    view: {
      name: site.reference.name,
      start: address("index.html"),
      types: address(TYPES),
      methods: address(METHODS),
    },
  };
}
