import { describe, expect, it } from "vitest";
import {
  citations,
  knownGaps,
  malformedLines,
  notTested,
  requirements,
  titlesWithLeadingIds,
} from "./requirements.js";

const all = requirements();
const byId = new Map(all.map((requirement) => [requirement.id, requirement]));
const cited = citations();
const ledger = notTested();

const isDemand = ({ level }: { level: string }): boolean => level.startsWith("MUST");
const untested = all.filter((one) => isDemand(one) && !cited.has(one.id)).map(({ id }) => id);
const covers = (entry: string, id: string): boolean =>
  entry.endsWith("-*") ? id.startsWith(entry.slice(0, -1)) : entry === id;

/** Codes of diagnostics, which look like ids. */
const NO_ID = /^MCG\d+$/;

describe("the requirement pages", () => {
  it("define each id once", () => {
    expect(all.length).toBe(byId.size);
  });

  it("have one form for all their lines", () => {
    expect(malformedLines()).toEqual([]);
  });

  it("use known levels only", () => {
    const levels = /^(MUST|SHOULD)( NOT)?$|^(MAY|FACT|PROPOSAL|CONFORMANCE|RECOMMENDED|PROJECT)$/;
    expect(all.filter(({ level }) => !levels.test(level))).toEqual([]);
  });

  it("refer to defined ids only", () => {
    const references = all.flatMap(({ id, sentence }) =>
      [...sentence.matchAll(/\b[A-Z]{2,6}-\d\d\b/g)].map(([other]) => `${id}: ${other}`),
    );
    const unknown = references.filter((one) => !byId.has(one.slice(one.indexOf(" ") + 1)));
    expect(unknown.filter((one) => !/ (UTF|RFC|SEP|ISO)-/.test(one))).toEqual([]);
  });
});

describe("the titles of tests", () => {
  it("cite defined ids only", () => {
    const unknown = [...cited].filter(([id]) => !byId.has(id) && !NO_ID.test(id));
    expect(Object.fromEntries(unknown.map(([id, files]) => [id, [...files]]))).toEqual({});
  });
});

describe("a title", () => {
  it("says its sentence first, then its ids", () => {
    expect(
      titlesWithLeadingIds().filter((title) => byId.has(/: ([A-Z]+-?\d+)/.exec(title)?.[1] ?? "")),
    ).toEqual([]);
  });
});

describe("each MUST", () => {
  it("has a test or an entry in not-tested.json", () => {
    const missing = untested.filter(
      (id) => !ledger.some(({ ids }) => ids.some((entry) => covers(entry, id))),
    );
    expect(missing.map((id) => `${id}: ${byId.get(id)?.sentence}`)).toEqual([]);
  });
});

describe("not-tested.json", () => {
  it("has no stale entries: ids that are unknown, tested or no MUST", () => {
    const entries = ledger.flatMap(({ ids }) => ids);
    const stale = entries.filter((entry) => !untested.some((id) => covers(entry, id)));
    expect(stale).toEqual([]);
  });

  it("names each id once", () => {
    const entries = ledger.flatMap(({ ids }) => ids);
    expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
  });

  it("gives a reason, or ids with tests that show the same", () => {
    for (const { ids, reason, shownBy = [] } of ledger) {
      expect(reason ?? shownBy.join(), ids.join()).not.toBe("");
      expect(shownBy.filter((id) => !cited.has(id))).toEqual([]);
    }
  });
});

describe("the page of known gaps", () => {
  it("names defined ids only", () => {
    expect(knownGaps().filter((id) => !byId.has(id))).toEqual([]);
  });
});
