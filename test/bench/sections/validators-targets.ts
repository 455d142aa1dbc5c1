import type { Target } from "../core/section.js";
import type { Figures } from "./validators-contestants.js";

/** What is promised about validators: each message; the worst beside a check by hand and beside the SDK as headlines. */
export function targets(cases: readonly string[], seen: Map<string, Figures>): Target[] {
  const valid = cases.filter((name) => name.endsWith(", valid"));
  const promise = (
    of: readonly string[],
    [contestant, said]: readonly [contestant: string, said: string],
    ratio: Ratio,
    limit: Limit,
  ): Target[] =>
    of.flatMap((name) => {
      const own = seen.get("mcp-codegen")?.[name]?.median;
      const other = seen.get(contestant)?.[name]?.median;
      if (own === undefined || other === undefined) return [];
      return [{ what: `validators, ${name}, ${said}`, value: ratio(own, other), ...limit }];
    });
  return [
    ...withHeadline(promise(valid, BY_HAND, times, atMost(1.3, "x"))),
    ...promise(cases, AJV, times, atMost(1, "x")),
    ...promise(valid, PARSING, percent, atMost(5, "%")),
    ...withHeadline(
      promise(valid, SDK, (own, other) => other / own, { bound: "at least", limit: 25, unit: "x" }),
    ),
  ];
}

const BY_HAND = ["by hand", "against a check by hand"] as const;
const AJV = ["ajv standalone", "against ajv standalone"] as const;
const PARSING = ["JSON.parse", "as a part of JSON.parse"] as const;
const SDK = ["sdk 2.4", "the schemas of sdk 2.4 against ours"] as const;

type Limit = Pick<Target, "bound" | "limit" | "unit">;
type Ratio = (own: number, other: number) => number;

const times: Ratio = (own, other) => own / other;
const percent: Ratio = (own, other) => (100 * own) / other;

const atMost = (limit: number, unit: Limit["unit"]): Limit => ({ bound: "at most", limit, unit });

function withHeadline(all: readonly Target[]): Target[] {
  const sign = all[0]?.bound === "at most" ? 1 : -1;
  const worst = all.toSorted((a, b) => sign * (b.value - a.value))[0];
  return all.map((target) => (target === worst ? { ...target, isHeadline: true } : target));
}
