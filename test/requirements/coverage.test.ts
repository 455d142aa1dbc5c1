import { describe, expect, it } from "vitest";
import {
  admittedGaps,
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

const isDemand = ({ level }: { level: string }): boolean =>
  /^(MUST|SHOULD)( NOT)?$|^FACT$/.test(level);
const demands = all.filter(isDemand);
const named = ledger.flatMap(({ ids }) => ids);

/** Returns the reason why a ledger entry is out of date. */
function staleness(id: string): string | undefined {
  const requirement = byId.get(id);
  if (!requirement) return `${id} is not defined`;
  if (cited.has(id)) return `${id} is cited in ${[...cited.get(id)!].join()}`;
  return isDemand(requirement) ? undefined : `${id} is ${requirement.level}, which needs no entry`;
}

/** Matches diagnostic codes, which look like ids. */
const NO_ID = /^MCG\d+$/;

describe("the requirement pages", () => {
  it("define each id once", () => {
    expect(all.length).toBe(byId.size);
  });

  it("have the same form in all their lines", () => {
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
  it("has its sentence first, then its ids", () => {
    expect(
      titlesWithLeadingIds().filter((title) => byId.has(/: ([A-Z]+-?\d+)/.exec(title)?.[1] ?? "")),
    ).toEqual([]);
  });
});

describe("each MUST, SHOULD and FACT", () => {
  it("has a test or an entry in not-tested.json", () => {
    const missing = demands.filter(({ id }) => !cited.has(id) && !named.includes(id));
    expect(missing.map(({ id, sentence }) => `${id}: ${sentence}`)).toEqual([]);
  });
});

describe("not-tested.json", () => {
  it("has no stale entries: ids that are unknown, tested or need no test", () => {
    expect(named.map(staleness).filter(Boolean)).toEqual([]);
  });

  it("names each id once", () => {
    expect(named.filter((id, index) => named.indexOf(id) !== index)).toEqual([]);
  });

  it("has a reason, or ids with tests that show the same", () => {
    for (const { ids, reason, shownBy = [] } of ledger) {
      expect(reason ?? shownBy.join(), ids.join()).not.toBe("");
      expect(shownBy.filter((id) => !cited.has(id))).toEqual([]);
    }
  });
});

describe("the page of known gaps", () => {
  const gaps = knownGaps();

  it("names defined ids in each entry", () => {
    expect(gaps.filter(({ ids }) => ids.length === 0)).toEqual([]);
    expect(gaps.flatMap(({ ids }) => ids).filter((id) => !byId.has(id))).toEqual([]);
  });

  it("has the entries of the page that users read, and no others", () => {
    expect(gaps.map(({ title }) => title)).toEqual(admittedGaps());
  });

  it("has all entries of not-tested.json that are not implemented", () => {
    const missing = ledger.filter(({ reason }) => reason?.startsWith("not implemented"));
    const ids = gaps.flatMap((gap) => gap.ids);
    expect(missing.flatMap((entry) => entry.ids).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
