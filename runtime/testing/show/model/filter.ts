import type { Row } from "./row.js";

export interface Filter {
  readonly isEmpty: boolean;
  matches(row: Row): boolean;
}

export interface FilterProblem {
  readonly problem: string;
}

type Test = (row: Row) => boolean;

/** The maximum number of characters per line that are searched for a word. */
const SEARCHED = 20_000;

/** The fields that are compared as text. Unquoted text may occur anywhere in the value. */
const TEXTS: Readonly<Record<string, (row: Row) => readonly string[]>> = {
  method: (row) => [row.method],
  name: (row) => [row.name],
  id: (row) => [row.id.replace(/^"|"$/g, "")],
  finding: (row) => row.findings.map(({ id }) => id),
  status: ({ line }) => (line.http?.status === undefined ? [] : [String(line.http.status)]),
};

const CHOICES: Readonly<
  Record<string, { readonly values: readonly string[]; readonly of: (row: Row) => string }>
> = {
  from: { values: ["client", "server"], of: ({ line }) => line.from ?? "" },
  kind: {
    values: ["request", "notification", "result", "error", "text", "event", "other"],
    of: ({ kind }) => kind,
  },
  group: {
    values: ["call", "rounds", "task", "subscription", "login"],
    of: (row) => ((row.parent ?? row).children.length > 1 ? (row.parent ?? row).group : ""),
  },
};

const NUMBERS: Readonly<Record<string, (row: Row) => number | undefined>> = {
  time: ({ duration }) => duration,
  at: ({ line }) => line.t,
  line: ({ line }) => line.n,
  conversation: ({ line }) => line.conversation,
  size: ({ line }) => line.source?.length,
};

/** The words that are conditions in themselves and need no value. */
const WORDS: Readonly<Record<string, Test>> = {
  error: (row) => row.hasFailed || row.findings.some(({ severity }) => severity === "error"),
  warning: (row) => row.findings.some(({ severity }) => severity === "warning"),
  finding: (row) => row.findings.length > 0,
  open: (row) => row.kind === "request" && row.response === undefined,
};

export const FILTER_NAMES: readonly string[] = [
  ...[TEXTS, CHOICES, NUMBERS].flatMap(Object.keys),
  ...Object.keys(WORDS),
];

const TERM = /\s*(-?)(?:([a-z]+)(:|>=|<=|>|<|=))?("(?:[^"\\]|\\.)*"?|[^\s"]+)/gy;

export const EVERYTHING: Filter = { isEmpty: true, matches: () => true };

/** Reads a filter such as `method:tools/call error from:server time>500`. A row must match all terms of the filter. */
export function readFilter(text: string): Filter | FilterProblem {
  const tests: Test[] = [];
  TERM.lastIndex = 0;
  for (let end = 0; text.slice(end).trim() !== ""; end = TERM.lastIndex) {
    const found = TERM.exec(text);
    if (found === null) return { problem: `${text.slice(end).trim()} is not a term of a filter.` };
    const [, minus, field, operator, raw = ""] = found;
    const isQuoted = raw.startsWith('"');
    const value = isQuoted
      ? raw.slice(1, raw.length > 1 && raw.endsWith('"') ? -1 : undefined)
      : raw;
    const test =
      field === undefined
        ? wordTest(value, isQuoted)
        : fieldTest(field, operator!, value, isQuoted);
    if (typeof test === "string") return { problem: test };
    tests.push(minus === "-" ? (row) => !test(row) : test);
  }
  return { isEmpty: tests.length === 0, matches: (row) => tests.every((test) => test(row)) };
}

function wordTest(value: string, isQuoted: boolean): Test {
  if (!isQuoted && Object.hasOwn(WORDS, value)) return WORDS[value]!;
  const wanted = value.toLowerCase();
  return ({ line, method, name }) =>
    method.toLowerCase().includes(wanted) ||
    name.toLowerCase().includes(wanted) ||
    (line.source ?? "").slice(0, SEARCHED).toLowerCase().includes(wanted);
}

function fieldTest(
  field: string,
  operator: string,
  value: string,
  isQuoted: boolean,
): Test | string {
  if (Object.hasOwn(NUMBERS, field)) return numberTest(field, operator, value);
  if (operator !== ":" && operator !== "=") {
    return `${field} cannot be compared with ${operator}. Write ${field}:${value}`;
  }
  if (Object.hasOwn(CHOICES, field)) {
    const { values, of } = CHOICES[field]!;
    if (!values.includes(value)) return `${field} is ${listOf(values)}, not ${value}.`;
    return (row) => of(row) === value;
  }
  if (!Object.hasOwn(TEXTS, field)) {
    return `${field} is not a field. Fields and words are ${FILTER_NAMES.join(", ")}.`;
  }
  const of = TEXTS[field]!;
  const wanted = value.toLowerCase();
  const isExact = isQuoted || operator === "=" || field === "id" || field === "status";
  return (row) =>
    of(row).some((text) =>
      isExact ? text.toLowerCase() === wanted : text.toLowerCase().includes(wanted),
    );
}

function numberTest(field: string, operator: string, value: string): Test | string {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(value) ?? [];
  if (digits === undefined) return `${field} needs a number: ${field}>500, not ${value}.`;
  const limit = Number(digits) * (unit === "s" ? 1000 : 1);
  const of = NUMBERS[field]!;
  const compare = COMPARISONS[operator]!;
  return (row) => {
    const actual = of(row);
    return actual !== undefined && compare(actual, limit);
  };
}

const COMPARISONS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  ":": (one, other) => one === other,
  "=": (one, other) => one === other,
  ">": (one, other) => one > other,
  "<": (one, other) => one < other,
  ">=": (one, other) => one >= other,
  "<=": (one, other) => one <= other,
};

function listOf(values: readonly string[]): string {
  return `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}
