import type { Revision, Trace } from "@mcp-codegen/runtime";
import type { Severity } from "./finding.js";

/** A requirement that a check verifies. */
export interface Check {
  readonly severity: Severity;
  /** True for a revision that requires what other revisions only recommend. In that revision, a finding is an error. */
  readonly demands?: (revision: Revision) => boolean;
  /** The reason why a finding is only a warning although a revision states a requirement. */
  readonly leniency?: string;
  /** The requirement, as a sentence. */
  readonly sentence: string;
  /** The default for a finding's `expected`. Absent for message checks, which always state it. */
  readonly expected?: string;
  /**
   * The specification page that states the requirement. It may differ between sessions and stateless revisions, and is
   * absent for a hint.
   */
  readonly page?: string | { readonly session?: string; readonly stateless?: string };
  /** True for a revision that has the requirement. Default: all revisions have it. */
  readonly applies?: (revision: Revision) => boolean;
  /** Advice on correcting a common fault. */
  readonly advice?: string;
}

type More = Omit<Partial<Check>, "severity" | "sentence">;

const rowOf =
  (severity: Severity) =>
  (sentence: string, more: More = {}): Check => ({ severity, sentence, ...more });
export const error = rowOf("error");
export const warning = rowOf("warning");
export const hint = rowOf("hint");

/**
 * Creates rows that share a page and the revisions to which they apply. A row that consists only of a sentence has the
 * severity `error`.
 */
export function on<Id extends string>(
  page: Check["page"],
  applies: NonNullable<Check["applies"]>,
  rows: Readonly<Record<Id, string | Check>>,
): Record<Id, Check> {
  const shared = { ...(page && { page }), applies };
  return Object.fromEntries(
    Object.entries<string | Check>(rows).map(([id, row]) => [
      id,
      { ...shared, ...(typeof row === "string" ? error(row) : row) },
    ]),
  ) as Record<Id, Check>;
}

export const isSession = ({ traits }: Revision): boolean => traits.lifecycle === "initialize";
export const isStateless = ({ traits }: Revision): boolean => traits.lifecycle === "discover";
export const hasTasks = ({ methods }: Revision): boolean => methods.has("tasks/get");
const isStreamable = ({ conventions }: Revision): boolean => conventions.http === "streamable";
const hasIcons = (revision: Revision): boolean => checksToolMember(revision, "icons");

export const AT = {
  any: () => true,
  sessions: isSession,
  stateless: isStateless,
  streamable: isStreamable,
  httpSessions: (one) => isSession(one) && isStreamable(one),
  /** Session revisions whose event streams can be polled. */
  polling: ({ conventions }) => conventions.polling,
  batches: ({ traits }) => traits.batching,
  methodHeaders: ({ conventions }) => conventions.methodHeaders,
  versionHeader: ({ conventions }) => conventions.versionHeader,
  /** Session revisions in which each request names the version, and in which only what was agreed on may be used. */
  agreements: (one) => isSession(one) && one.conventions.versionHeader,
  /** Session revisions in which the authorization metadata can be found only through a challenge. */
  challenges: (one) => isSession(one) && one.conventions.versionHeader && !one.conventions.polling,
  reservedErrors: ({ conventions }) => conventions.reservedErrors.length > 0,
  /** Revisions that define errors with data: about URLs to visit, or about supported revisions and capabilities. */
  errorData: ({ errorCodes }) =>
    errorCodes["URL_ELICITATION_REQUIRED"] !== undefined ||
    errorCodes["UNSUPPORTED_PROTOCOL_VERSION"] !== undefined,
  outputSchemas: (one) => checksToolMember(one, "outputSchema"),
  /** Revisions with icons. They also have rules for tool names. */
  icons: hasIcons,
  /**
   * Session revisions with tools in sampling and with elicitation modes. They are the same as the session revisions
   * with icons.
   */
  toolSampling: (one) => isSession(one) && hasIcons(one),
  elicitation: ({ methods }) => methods.has("elicitation/create"),
  /** Revisions with a notification that reports that the user has completed a URL-mode elicitation. */
  visits: ({ methods }) => methods.has("notifications/elicitation/complete"),
  subscriptions: ({ families }) => families.some(({ subscribe }) => subscribe !== undefined),
  tasks: hasTasks,
} satisfies Readonly<Record<string, (revision: Revision) => boolean>>;

/** True if the revision's tools have this member: their validator then rejects a number as its value. */
function checksToolMember({ methods }: Revision, name: string): boolean {
  const issues: Trace = [];
  const tool = { name: "tool", inputSchema: { type: "object" }, [name]: 7 };
  methods.get("tools/list")?.result?.({ tools: [tool] }, issues);
  return issues.some(({ path }) => path === `/tools/0/${name}`);
}

export const PAGE = {
  lifecycle: { session: "basic/lifecycle", stateless: "basic/versioning" },
  stdio: { session: "basic/lifecycle", stateless: "basic/transports/stdio" },
  transports: { session: "basic/transports", stateless: "basic/transports/stdio" },
  http: { session: "basic/transports", stateless: "basic/transports/streamable-http" },
  sse: { session: "basic/transports" },
  progress: { session: "basic/utilities/progress", stateless: "basic/patterns/progress" },
  cancellation: {
    session: "basic/utilities/cancellation",
    stateless: "basic/patterns/cancellation",
  },
  tasks: { session: "basic/utilities/tasks" },
  rounds: { stateless: "basic/patterns/mrtr" },
  subscriptions: { stateless: "basic/patterns/subscriptions" },
  statelessTools: { stateless: "server/tools" },
  authorization: "basic/authorization",
  /** Hints have no page, because no specification states them. */
  none: undefined,
} as const;
