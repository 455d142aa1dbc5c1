import { ratio, summary } from "./core/rounds.js";
import { cellOf, type Table } from "./core/section.js";
import { pinned } from "./drivers/stdio/servers.js";

/** A bound on a figure, or on its ratio to another contestant's figure within each round. */
export interface Goal {
  /** The id of the table, and one of its cases. */
  readonly table: string;
  readonly case: string;
  readonly contestant: string;
  readonly against?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

const calls = [
  ["stdio", "session"],
  ["stdio", "stateless"],
  ["http", "session, JSON"],
  ["http", "stateless, JSON"],
] as const;
const mostOfLimit = { stdio: 1.35, http: 1.3 };
const leastOfSdk = [12, 12, 9, 20];

const fixed: readonly Goal[] = [
  ...calls.flatMap(([table, name], index): Goal[] => [
    { table, case: name, contestant: "sdk 2.4", against: pinned, atLeast: leastOfSdk[index]! },
    { table, case: name, contestant: pinned, against: "limit", atMost: mostOfLimit[table] },
  ]),
  {
    table: "stdio-list",
    case: "session",
    contestant: "sdk 2.4",
    against: "universal",
    atLeast: 80,
  },
  { table: "stdio-client", case: "session", contestant: "sdk 2.4", against: pinned, atLeast: 7 },
  { table: "stdio-client", case: "session", contestant: pinned, against: "limit", atMost: 1.5 },
  { table: "start", case: "session", contestant: "sdk 2.4", against: pinned, atLeast: 2 },
  { table: "memory", case: "idle session", contestant: "universal", atMost: 4 },
  {
    table: "install",
    case: "all three",
    contestant: "sdk 2.4",
    against: pinned,
    atLeast: 10,
  },
  { table: "login", case: "with a login", contestant: "sdk 2.4", against: pinned, atLeast: 2 },
  ...["CallToolRequest", "CallToolResult", "ListToolsResult"].map((name) => ({
    table: "validators",
    case: name,
    contestant: "mcp-codegen",
    against: "ajv standalone",
    atMost: 1,
  })),
  ...["10,000 tools, against 10", "1,000 sessions, against 1"].map((name) => ({
    table: "growth",
    case: name,
    contestant: "universal",
    atMost: 1.3,
  })),
  {
    table: "growth",
    case: "a byte of 10 MB, against 100 KB",
    contestant: "universal",
    against: "limit",
    atMost: 1.3,
  },
  ...Object.entries({
    "plain answer": 1,
    "stream with progress": 2,
    "question answered": 4,
    "session opened and ended": 8,
    "stateless call": 0,
  }).map(([name, atMost]) => ({
    table: "instances-redis",
    case: name,
    contestant: "scripts",
    atMost,
  })),
  ...["plain answer", "stateless call"].map((name) => ({
    table: "instances",
    case: name,
    contestant: "sessions on Redis",
    against: "sessions in memory",
    atMost: 1.25,
  })),
];

/** The factor by which a start-up ratio may exceed the last one. The medians of two runs differ by less. */
const TOLERANCE = 1.05;

/** Returns all goals. Relative to bare Node, start-up must not become slower than in the last committed report. */
export function goalsBeside(last: readonly Table[]): readonly Goal[] {
  const start = last.find(({ id }) => id === "start");
  if (!start) return fixed;
  const kept = start.cases.flatMap((name) =>
    [pinned, "universal"].flatMap((contestant): Goal[] => {
      const goal = { table: "start", case: name, contestant, against: "limit" };
      const values = valuesOf(goal, last);
      return values ? [{ ...goal, atMost: summary(values).median * TOLERANCE }] : [];
    }),
  );
  return [...kept, ...fixed];
}

/** Returns the values of the rounds to which a goal applies, or undefined if its table or cell was not measured. */
export function valuesOf(goal: Goal, tables: readonly Table[]): readonly number[] | undefined {
  const table = tables.find(({ id }) => id === goal.table);
  if (!table) return undefined;
  const own = cellOf(table, goal.case, goal.contestant);
  if (goal.against === undefined) return own;
  const other = cellOf(table, goal.case, goal.against);
  return own && other && ratio(own, other);
}

export function isMet({ atMost, atLeast }: Goal, median: number): boolean {
  return median <= (atMost ?? Infinity) && median >= (atLeast ?? -Infinity);
}
