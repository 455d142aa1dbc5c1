import { type Launch, Program } from "../core/program.js";
import { type Figures, interleave, type Rounds } from "../core/rounds.js";
import type { Effort, Section, SectionResult, Table } from "../core/section.js";

/** The modules below `programs/validators`, by contestant. */
const modules = {
  "by hand": "handwritten",
  "mcp-codegen": "generated",
  "ajv standalone": "ajv-standalone",
  "typebox 1.4": "typebox",
  "sdk 1.32": "sdk-1",
  "sdk 2.4": "sdk-2",
  "JSON.parse": "parse",
};

async function run({ rounds, isSmoke }: Effort): Promise<SectionResult> {
  const MILLISECONDS = isSmoke ? "0" : "80";
  const contestants = Object.entries(modules).map(([name, CONTESTANT]) => {
    const launch: Launch = ["validators/run.mjs", { CONTESTANT, MILLISECONDS }];
    return { name, measure: () => Program.use(launch, (program) => program.said<Figures>()) };
  });
  const seen = await interleave(contestants, rounds);
  const cases = Object.keys(seen.get("by hand")![0]!);
  const valid = cases.filter((name) => name.endsWith(", valid"));
  const broken = cases.filter((name) => !valid.includes(name));
  return {
    tables: [
      table("validators", "Valid messages", valid, seen),
      table("validators-broken", "Broken messages, without reasons", broken, seen),
    ],
    notes: [
      "`mcp-codegen` is `validators.X(value)`, which answers true or false.",
      "`ajv` (as the code that it writes for a build) and TypeBox compile JSON Schemas made of the `protocol.json` of the same revision. `sdk` is `safeParse` of the schemas that the SDKs export; SDK 1.32 has no DiscoverRequest, and the schema of SDK 2.4 does not check its parameters.",
      "`by hand` is a check written for just these five messages: it does not ask whether a member is inherited and cannot name a reason. `JSON.parse` reads the same texts.",
    ],
  };
}

function table(id: string, title: string, cases: readonly string[], seen: Rounds): Table {
  const rows = [...seen].map(([contestant, rounds]) => ({
    contestant,
    cells: cases.map((name) =>
      rounds[0]![name] === undefined ? undefined : rounds.map((figures) => figures[name]!),
    ),
  }));
  const names = cases.map((name) => name.replace(/, valid$/, ""));
  return { id, title, unit: "ns", cases: names, rows, baseline: "mcp-codegen" };
}

export const section: Section = {
  id: "validators",
  title: "Validators",
  about:
    "Nanoseconds for one message, of which up to 64 variants with other values and other optional members are parsed anew before each sample. A round is a fresh process for each contestant that first validates all messages, valid and broken, in turn, as a server does; a figure is the median of its samples.",
  run,
};
