import { interleave } from "../core/rounds.js";
import type { Depth, Plot, Section, SectionResult, Seen, Table, Target } from "../core/section.js";
import { type Compiler, compilers, type Diagnosis, Sources } from "./typecheck-compile.js";
import { programs } from "./typecheck-programs.js";

type Figure = keyof Diagnosis;
type Figures = Map<string, Record<Figure, Seen>>;
interface Case {
  readonly compiler: Compiler;
  readonly tools: number;
  readonly figures: Figures;
}

async function run(depth: Depth): Promise<SectionResult> {
  if (depth === "short") {
    return { tables: [], targets: [], plots: [], notes: ["Left out in the short form."] };
  }
  const sources = new Sources();
  try {
    const cases: Case[] = [];
    for (const { compiler, tools, rounds } of CASES) {
      const figures = await interleave(
        programs.map(({ name, text }) => ({
          name,
          measure: async () => sources.compile(compiler, name, text(tools)),
        })),
        rounds,
      );
      cases.push({ compiler, tools, figures });
    }
    return {
      tables: TABLES.map(([title, unit, figure]) => table(cases, title, unit, figure)),
      targets: cases.filter(({ tools }) => tools === 30).flatMap(targets),
      plots: [plot(cases)],
      notes: NOTES,
    };
  } finally {
    sources.remove();
  }
}

const caseName = ({ compiler, tools }: Case): string => `${compiler}, ${tools} tools`;

function table(cases: readonly Case[], title: string, unit: Table["unit"], figure: Figure): Table {
  const rows = programs.map(({ name }) => ({
    contestant: name,
    cells: cases.map(({ figures }) => figures.get(name)?.[figure]),
  }));
  return { title, unit, cases: cases.map(caseName), rows, baseline: "plain types" };
}

function targets(one: Case): Target[] {
  return programs.flatMap(({ name, baseline }): Target[] => {
    const own = one.figures.get(name)?.time.median;
    if (own === undefined || name === baseline || name.startsWith("sdk")) return [];
    const limit = baseline === "zod alone" ? 1.1 : 1.2;
    return [
      {
        what: `type-check, ${caseName(one)}, ${name}, against ${baseline}`,
        value: own / one.figures.get(baseline)!.time.median,
        bound: "at most",
        limit,
        unit: "x",
        isHeadline: name.startsWith("universal") && one.compiler === "tsc 7",
      },
    ];
  });
}

function plot(cases: readonly Case[]): Plot {
  return {
    name: "typecheck",
    title: "Type-check of a server",
    kind: "bars",
    x: { label: "compiler and number of tools", scale: "category" },
    y: { label: "s", scale: "linear" },
    series: programs.map(({ name }) => ({
      name,
      points: cases.flatMap((one) => {
        const seen = one.figures.get(name);
        return seen ? [[caseName(one), seen.time.median] as const] : [];
      }),
    })),
  };
}

const TABLES = [
  ["Time of the type-check", "s", "time"],
  ["Memory of the compiler", "MiB", "memory"],
  ["Instantiations of types", "count", "instantiations"],
] as const;

const CASES = (Object.keys(compilers) as Compiler[]).flatMap((compiler) => [
  { compiler, tools: 30, rounds: 3 },
  { compiler, tools: 300, rounds: 1 },
]);

const NOTES = [
  "Each tool has four arguments, with names of its own, and a handler that uses them. What a compiler needs for the libraries of " +
    "the language and for the types of Node is in all times; `skipLibCheck` is on.",
  "`plain types` declares the arguments beside the same JSON Schema; nothing connects the two. `zod alone` has the same schemas " +
    "in zod, and handlers with `z.infer`. Neither knows the protocol.",
  "With `generated types`, the arguments are declared by hand too, and the handlers of the methods are a table. With `JSON Schema`, " +
    "the types of the arguments follow from the schema that is written out.",
];

export const section: Section = {
  id: "typecheck",
  title: "Type-check",
  about:
    "What `tsc --noEmit --extendedDiagnostics` says about a server of 30 and of 300 tools, in total, each time in a fresh process.",
  run,
};
