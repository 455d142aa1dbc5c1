/** An issue from the official SDK's schema constants, or from ours. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The issues of each alternative in a union. */
  readonly errors?: readonly (readonly Issue[])[];
  /** The type that ours demands. */
  readonly expected?: string;
  readonly received?: string;
}

interface Disagreement {
  readonly type: string;
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

/** A difference between the official SDK's schema constants and ours, and the reason for it. */
interface Rule {
  /** The side that refuses what the other one accepts. */
  readonly refuses: "ours" | "theirs";
  readonly reason: string;
  matches(disagreement: Disagreement): boolean;
}

const hasCode =
  (...codes: string[]) =>
  ({ issues }: Disagreement) =>
    issues.some(({ code = "" }) => codes.includes(code));

const endsWith = (path: readonly PropertyKey[], ...names: string[]) =>
  names.includes(String(path.at(-1)));

const isOf = (path: readonly PropertyKey[], ...names: string[]) =>
  names.some((name) => path.includes(name));

export const RULES: readonly Rule[] = [
  {
    refuses: "theirs",
    reason: "unknown members of messages survive",
    matches: hasCode("unrecognized_keys"),
  },
  {
    refuses: "theirs",
    reason: "integers of JSON have no limit",
    matches: hasCode("too_big"),
  },
  {
    refuses: "theirs",
    reason: "formats are checked where messages are handled",
    matches: hasCode("invalid_format", "custom"),
  },
  {
    refuses: "theirs",
    reason: "tool schemas and structured content are of any kind since 2026-07-28",
    matches: ({ issues }) =>
      issues.some(
        ({ path }) => endsWith(path, "structuredContent") || path.includes("outputSchema"),
      ),
  },
  {
    refuses: "theirs",
    reason: "results of sampling may use tools since 2025-11-25",
    matches: ({ type }) => type === "CreateMessageResult",
  },
  {
    refuses: "theirs",
    reason: "elicitations of pages have no id since 2026-07-28",
    matches: ({ issues }) => issues.some(({ path }) => endsWith(path, "elicitationId")),
  },
  {
    refuses: "theirs",
    reason: "parameters of roots/list are open since 2026-07-28",
    matches: ({ type }) => type === "ListRootsRequest",
  },
  {
    refuses: "theirs",
    reason: "unions of messages have those of tasks",
    matches: ({ value }) => JSON.stringify(value).includes("tasks/"),
  },
  {
    refuses: "theirs",
    reason: "results of tools inside of sampling get an empty list, as in version 1",
    matches: ({ type, issues }) =>
      type === "ToolResultContent" && issues.some(({ path }) => endsWith(path, "content")),
  },
  {
    refuses: "ours",
    reason: "times and sizes are integers",
    matches: ({ issues }) =>
      issues.some(({ expected = "" }) => /integer|MultiSelectEnumSchema/.test(expected)),
  },
  {
    refuses: "ours",
    reason: "arrays and null are not objects",
    matches: ({ issues }) =>
      issues.some(
        ({ expected, received = "" }) =>
          expected === "object" && /^(?:array|null|\[)/.test(received),
      ),
  },
  {
    refuses: "ours",
    reason: "members that only some revisions have are checked, too",
    matches: ({ issues }) =>
      issues.some(({ path }) => isOf(path, "title", "$schema", "properties", "required")),
  },
  {
    refuses: "ours",
    reason: "only whole results of tools get an empty list",
    matches: ({ type, issues }) =>
      type !== "CallToolResult" && issues.some(({ path }) => endsWith(path, "content")),
  },
];
