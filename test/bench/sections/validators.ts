import { interleave } from "../core/rounds.js";
import type { Depth, Plot, Section, SectionResult, Seen, Table } from "../core/section.js";
import { contestants, measured, type Figures } from "./validators-contestants.js";
import { targets } from "./validators-targets.js";

async function run(depth: Depth): Promise<SectionResult> {
  const { rounds, milliseconds } = BUDGET[depth];
  const chosen = contestants.filter(({ inShort }) => inShort || depth === "full");
  const seen = await interleave(
    chosen.map((contestant) => measured(contestant, milliseconds)),
    rounds,
  );
  const cases = Object.keys(seen.get("by hand")!);
  const valid = cases.filter((name) => name.endsWith(", valid"));
  const invalid = cases.filter((name) => !valid.includes(name));
  return {
    tables: [
      table("Valid messages", valid, seen),
      table("Invalid messages, without reasons", invalid, seen),
    ],
    targets: targets(cases, seen),
    plots: [plot(valid, seen)],
    notes: NOTES,
  };
}

function table(title: string, cases: readonly string[], seen: Map<string, Figures>): Table {
  const rows = [...seen].map(([contestant, figures]) => ({
    contestant,
    cells: cases.map((name): Seen | undefined => figures[name]),
  }));
  return { title, unit: "ns", cases: cases.map(withoutKind), rows, baseline: "by hand" };
}

function plot(cases: readonly string[], seen: Map<string, Figures>): Plot {
  return {
    name: "validators",
    title: "Validation of one valid message",
    kind: "bars",
    x: { label: "message", scale: "category" },
    y: { label: "ns", scale: "log" },
    series: [...seen].map(([name, figures]) => ({
      name,
      points: cases.flatMap((label) =>
        figures[label] ? [[withoutKind(label), figures[label].median] as const] : [],
      ),
    })),
  };
}

const withoutKind = (name: string): string => name.replace(/, valid$/, "");

const BUDGET = {
  full: { rounds: 5, milliseconds: 150 },
  short: { rounds: 2, milliseconds: 20 },
};

const NOTES = [
  "`mcp-codegen` is the boolean form, `validators.X(value)`; nothing else than validators is called.",
  "`ajv` and TypeBox compile JSON Schemas that are made of the `protocol.json` of the same revision; ajv with `strict: false`, " +
    "standalone as the code that it writes for a build. TypeBox is its `Compile` for JSON Schema.",
  "`sdk` is `safeParse` of the schemas that the SDKs export. They read some members less strictly than the specification, so " +
    "only what all contestants refuse counts as invalid. SDK 1.32 has no DiscoverRequest, and the schema of SDK 2.4 does not look at its parameters.",
  "`by hand` is what one would write for just these messages: it does not ask whether a member is inherited, nor can it tell a reason.",
];

export const section: Section = {
  id: "validators",
  title: "Validators",
  about:
    "Nanoseconds per message, of which up to 64 variants with other values and other optional members are parsed anew before " +
    "each sample. A round is a fresh process per contestant that first validates all messages, valid and broken, in turn, " +
    "as a server does; a figure is the median of its samples. `JSON.parse` reads the same texts.",
  run,
};
