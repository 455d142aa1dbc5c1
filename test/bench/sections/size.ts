import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { summary } from "../core/rounds.js";
import type { Depth, Plot, Section, SectionResult, Table } from "../core/section.js";
import { bundle, type BundleSize, type Task, taskOf, tasksOf } from "./size-bundles.js";
import { bundled, installed, pinnedContestants, purposes, shortly } from "./size-contestants.js";
import { type Footprint, footprintsOf } from "./size-footprint.js";
import { targetsOf } from "./size-targets.js";
import { tryOut } from "./size-trial.js";

/** Other ways to write the stdio server of one revision. */
const variants = [
  { title: "handlers by method", file: "stdio" },
  { title: "Tools", file: "stdio-tools" },
  { title: "Tools, JSON Schema", file: "stdio-checked" },
];

const of = (value: number) => summary([value]);

type Footprints = ReadonlyMap<string, readonly (Footprint | undefined)[]>;

async function installations(depth: Depth): Promise<Footprints> {
  const shown = installed.filter(({ name }) => depth === "full" || shortly.has(name));
  const wanted = shown.flatMap(({ packages }) =>
    purposes.map((purpose) => packages[purpose] ?? []),
  );
  const seen = await footprintsOf(wanted);
  const cells = seen.map((footprint) => (footprint.packages > 0 ? footprint : undefined));
  return new Map(
    shown.map(({ name }, index) => {
      const first = index * purposes.length;
      return [name, cells.slice(first, first + purposes.length)];
    }),
  );
}

function installationTables(seen: Footprints): Table[] {
  const table = (
    title: string,
    unit: Table["unit"],
    figure: (one: Footprint) => number,
  ): Table => ({
    title,
    unit,
    cases: purposes,
    rows: [...seen].map(([contestant, cells]) => ({
      contestant,
      cells: cells.map((cell) => cell && of(figure(cell))),
    })),
  });
  return [
    table("Packages installed", "count", ({ packages }) => packages),
    table("Bytes installed", "KiB", ({ bytes }) => bytes / 1024),
    table("Files installed", "count", ({ files }) => files),
  ];
}

interface Bundled {
  readonly tasks: readonly Task[];
  readonly sizes: readonly BundleSize[];
}

async function bundles(depth: Depth, folder: string): Promise<Bundled> {
  const shown = bundled.filter(({ name }) => depth === "full" || shortly.has(name));
  const extra = pinnedContestants.flatMap((contestant) =>
    variants.slice(1).map(({ file }) => taskOf(contestant, file, "variant", folder)),
  );
  const stdioOnly = tasksOf(pinnedContestants, folder).filter(
    ({ contestant, purpose }) => purpose === "stdio server" && !shown.includes(contestant),
  );
  const tasks = [...tasksOf(shown, folder), ...stdioOnly, ...(depth === "full" ? extra : [])];
  const sizes = await bundle(tasks);
  const limit = tasks.find(({ contestant }) => contestant.name === "limit")!;
  for (const task of tasks) {
    const own = tasks.find(
      ({ contestant, purpose }) => contestant === task.contestant && purpose === "stdio server",
    );
    await tryOut(task, (own ?? limit).output);
  }
  return { tasks, sizes };
}

function bundleTable(
  title: string,
  { tasks, sizes }: Bundled,
  figure: (size: BundleSize) => number,
): Table {
  const names = bundled
    .filter((one) => tasks.some(({ contestant }) => contestant === one))
    .map(({ name }) => name);
  const cell = (name: string, wanted: string) => {
    const index = tasks.findIndex(
      ({ contestant, purpose }) => contestant.name === name && purpose === wanted,
    );
    return index < 0 ? undefined : of(figure(sizes[index]!));
  };
  const rows = names.map((contestant) => ({
    contestant,
    cells: purposes.map((purpose) => cell(contestant, purpose)),
  }));
  return { title, unit: "B", cases: purposes, rows };
}

function variantTable({ tasks, sizes }: Bundled): Table {
  const rows = pinnedContestants.map((contestant) => ({
    contestant: contestant.name,
    cells: variants.map(({ file }) => {
      const index = tasks.findIndex(
        (task) => task.contestant === contestant && task.output.endsWith(`/${file}.mjs`),
      );
      return index < 0 ? undefined : of(sizes[index]!.compressed);
    }),
  }));
  const title = "Bundle of a stdio server of one revision, by what it is made of, gzip";
  return { title, unit: "B", cases: variants.map((variant) => variant.title), rows };
}

function plotOf(table: Table): Plot {
  const series = table.cases.map((name, index) => ({
    name,
    points: table.rows.flatMap(({ contestant, cells }) => {
      const cell = cells[index];
      return cell ? [[contestant, cell.median / 1000] as const] : [];
    }),
  }));
  return {
    name: "size-bundles",
    title: table.title,
    kind: "bars",
    x: { label: "", scale: "category" },
    y: { label: "kB", scale: "log" },
    series,
  };
}

async function run(depth: Depth): Promise<SectionResult> {
  const footprints = await installations(depth);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-codegen-bench-")));
  try {
    const made = await bundles(depth, folder);
    const compressed = bundleTable("Bundles, minified, gzip", made, (size) => size.compressed);
    const minified = bundleTable("Bundles, minified", made, (size) => size.minified);
    const isFull = depth === "full";
    return {
      tables: [
        ...installationTables(footprints),
        compressed,
        minified,
        ...(isFull ? [variantTable(made)] : []),
      ],
      targets: targetsOf(footprints, compressed),
      plots: [plotOf(compressed)],
      notes,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const notes = [
  "Installed is what npm puts into `node_modules` for the packages that a program names: those, what they depend on, and peers that are not optional. Of our packages it is what their archives hold.",
  "With the packages of the others comes `zod`, where a program needs it to say what the arguments of a tool are. Ours take JSON Schema as it is, or any library that follows Standard Schema.",
  "All bundles are of the same program: a tool without arguments, or a client that calls it. The stdio server of one revision is `Server` with handlers by method; the last table shows it with `Tools`, and with a check of arguments, which the bundles of `universal` and of the SDKs have in them anyway.",
  "`universal with <revision>` is `@mcp-codegen/universal/server`, or `/client`, with that one revision; `universal` has all five.",
  "Left out: mcp-lite has neither a stdio server nor a client, and tmcp has no client.",
];

export const section: Section = {
  id: "size",
  title: "Size",
  about:
    "What has to be installed, and what comes of it as one file. Bundles are made by esbuild (for Node, ES modules, minified, without comments) from the packages as they are published, and compressed by `gzip -9`. Each bundle is run once and has to answer. Sizes do not vary, so there is one round.",
  run,
};
