import type { Revision, Trace } from "@mcp-codegen/runtime";
import type { Severity } from "./finding.js";

/** Requirement that a check verifies. */
export interface Check {
  readonly severity: Severity;
  /** True for a revision that requires what other revisions only recommend: in it, a finding is an error. */
  readonly demands?: (revision: Revision) => boolean;
  /** Reason why a finding is only a warning although a revision states a requirement. */
  readonly leniency?: string;
  /** Requirement, as a sentence. */
  readonly sentence: string;
  /** Default for `expected` of a finding; absent for checks of messages, which always state it. */
  readonly expected?: string;
  /**
   * Page of the specification that states the requirement, which may differ between sessions and stateless revisions;
   * absent for a hint.
   */
  readonly page?: string | { readonly session?: string; readonly stateless?: string };
  /** True for a revision that has the requirement. Default: all revisions have it. */
  readonly applies?: (revision: Revision) => boolean;
  /** Advice on how to correct a frequent fault. */
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
 * Creates rows that share a page and the revisions to which they apply. A row that is only a sentence has the
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
  /** Revisions with sessions whose event streams can be polled. */
  polling: ({ conventions }) => conventions.polling,
  batches: ({ traits }) => traits.batching,
  methodHeaders: ({ conventions }) => conventions.methodHeaders,
  versionHeader: ({ conventions }) => conventions.versionHeader,
  /** Revisions with sessions in which each request names the version, and only what was agreed on may be used. */
  agreements: (one) => isSession(one) && one.conventions.versionHeader,
  /** Revisions with sessions in which the authorization metadata is found only by a challenge. */
  challenges: (one) => isSession(one) && one.conventions.versionHeader && !one.conventions.polling,
  reservedErrors: ({ conventions }) => conventions.reservedErrors.length > 0,
  /** Revisions that define errors with data: about URLs to visit, or about supported revisions and capabilities. */
  errorData: ({ errorCodes }) =>
    errorCodes["URL_ELICITATION_REQUIRED"] !== undefined ||
    errorCodes["UNSUPPORTED_PROTOCOL_VERSION"] !== undefined,
  outputSchemas: (one) => checksToolMember(one, "outputSchema"),
  /** Revisions with icons; the same revisions also have rules for the names of tools. */
  icons: hasIcons,
  /**
   * Revisions with sessions, tools in sampling, and modes of elicitation: the same ones as those with sessions and
   * icons.
   */
  toolSampling: (one) => isSession(one) && hasIcons(one),
  elicitation: ({ methods }) => methods.has("elicitation/create"),
  /** Revisions with a notification that the user has completed a URL-mode elicitation. */
  visits: ({ methods }) => methods.has("notifications/elicitation/complete"),
  subscriptions: ({ families }) => families.some(({ subscribe }) => subscribe !== undefined),
  tasks: hasTasks,
} satisfies Readonly<Record<string, (revision: Revision) => boolean>>;

/** True if the revision's tools have this member, because their validator then rejects a number as its value. */
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
