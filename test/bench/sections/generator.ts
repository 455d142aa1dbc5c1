import { mkdtempSync, rmSync } from "node:fs";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Contestant, interleave } from "../core/rounds.js";
import type { Depth, Section, SectionResult } from "../core/section.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const bin = join(root, "generator/dist/cli/bin.js");
const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
const everything = ["--all"];

/** The whole process, from its start to its end. */
async function seconds(args: readonly string[]): Promise<number> {
  const start = performance.now();
  await promisify(execFile)(process.execPath, [bin, ...args], { cwd: root });
  return (performance.now() - start) / 1000;
}

/** Generates into an empty folder each time. */
function generating(name: string, what: readonly string[]): Contestant<"time"> {
  const measure = async () => {
    const out = mkdtempSync(join(tmpdir(), "mcp-codegen-bench-"));
    try {
      return { time: await seconds([...what, "--out", out]) };
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  };
  return { name, measure };
}

/** Compares with what is committed. */
const checking: Contestant<"time"> = {
  name: "all, --check",
  measure: async () => ({ time: await seconds([...everything, "--out", "generated", "--check"]) }),
};

async function run(depth: Depth): Promise<SectionResult> {
  const shown = depth === "full" ? revisions : revisions.slice(-1);
  const contestants = [
    ...shown.map((revision) => generating(revision, ["--revision", revision])),
    generating("all", everything),
    ...(depth === "full" ? [checking] : []),
  ];
  const seen = await interleave(contestants, depth === "full" ? 3 : 1);
  const rows = [...seen].map(([contestant, { time }]) => ({ contestant, cells: [time] }));
  const title = "Time to generate";
  return {
    tables: [{ title, unit: "s", cases: ["whole process"], rows }],
    targets: [],
    plots: [],
    notes: [
      "`all` makes the package of each revision and the universal one; `--check` makes them too, and compares them with the files that are there.",
    ],
  };
}

export const section: Section = {
  id: "generator",
  title: "The generator",
  about:
    "Time of the whole command, `mcp-codegen --revision X --out <empty folder>`, from the start of its process to its end: it reads the schema, generates, formats and writes. There is nothing to compare it with, so no target.",
  run,
};
