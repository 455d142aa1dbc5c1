import type { Revision, Trace } from "@mcp-codegen/runtime";
import type { Severity } from "./finding.js";

/** Requirement that a check verifies. */
export interface Check {
  readonly severity: Severity;
  /** True for a revision that requires what others recommend: under it, a finding is an error. */
  readonly demands?: (revision: Revision) => boolean;
  /** Reason why a finding is a warning, although a revision requires what the check verifies. */
  readonly leniency?: string;
  /** Requirement, as a sentence. */
  readonly sentence: string;
  /** Expectation of a finding that states none; absent for checks of messages. */
  readonly expected?: string;
  /** Page of the specification that states the requirement, by the kind of conversation; absent for a hint. */
  readonly page?: string | { readonly session?: string; readonly stateless?: string };
  /** True for a revision that has the requirement; absent if all have it. */
  readonly applies?: (revision: Revision) => boolean;
  /** Advice for a frequent fault. */
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
 * Creates rows of a table that share a page and revisions. A row that is only a sentence has the severity of an error.
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

/** Page of hints: no specification states them. */
export const NO_PAGE = undefined;

export const anyRevision = (): boolean => true;
export const reservesErrors = ({ conventions }: Revision): boolean =>
  conventions.reservedErrors.length > 0;
/** True for sessions whose event streams can be polled. */
export const canPoll = ({ conventions }: Revision): boolean => conventions.polling;
export const isSession = ({ traits }: Revision): boolean => traits.lifecycle === "initialize";
export const isStateless = ({ traits }: Revision): boolean => traits.lifecycle === "discover";
export const isStreamable = ({ conventions }: Revision): boolean =>
  conventions.http === "streamable";
export const hasHttpSessions = (revision: Revision): boolean =>
  isSession(revision) && isStreamable(revision);
export const hasBatches = ({ traits }: Revision): boolean => traits.batching;
export const hasMethodHeaders = ({ conventions }: Revision): boolean => conventions.methodHeaders;
export const hasVersionHeader = ({ conventions }: Revision): boolean => conventions.versionHeader;
/** True for revisions whose sessions may use only the capabilities that were agreed on. */
export const bindsSessions = (revision: Revision): boolean =>
  isSession(revision) && hasVersionHeader(revision);
export const hasHttpVersions = (revision: Revision): boolean =>
  hasVersionHeader(revision) && hasHttpSessions(revision);
export const hasOutputSchemas = (revision: Revision): boolean =>
  checksToolMember(revision, "outputSchema");
/** True for revisions with icons, which introduced rules for the names of tools as well. */
export const hasNameRules = (revision: Revision): boolean => checksToolMember(revision, "icons");
export const hasElicitation = ({ methods }: Revision): boolean => methods.has("elicitation/create");
export const hasSubscriptions = ({ families }: Revision): boolean =>
  families.some(({ subscribe }) => subscribe !== undefined);
/** True for revisions that define data of errors: with URLs to visit, or with revisions and capabilities. */
export const hasErrorData = ({ errorCodes }: Revision): boolean =>
  errorCodes["URL_ELICITATION_REQUIRED"] !== undefined ||
  errorCodes["UNSUPPORTED_PROTOCOL_VERSION"] !== undefined;
/** True for sessions with tools in sampling, and with modes of elicitation. */
export const hasToolSampling = (revision: Revision): boolean =>
  isSession(revision) && hasNameRules(revision);
export const hasTasks = ({ methods }: Revision): boolean => methods.has("tasks/get");

/** True if the revision rejects a tool with a number for this member, because it knows the member. */
function checksToolMember({ methods }: Revision, name: string): boolean {
  const issues: Trace = [];
  const tool = { name: "tool", inputSchema: { type: "object" }, [name]: 7 };
  methods.get("tools/list")?.result?.({ tools: [tool] }, issues);
  return issues.some(({ path }) => path === `/tools/0/${name}`);
}

/** Pages of the specification. */
export const LIFECYCLE = { session: "basic/lifecycle", stateless: "basic/versioning" };
export const STDIO = { session: "basic/lifecycle", stateless: "basic/transports/stdio" };
export const TRANSPORTS = { session: "basic/transports", stateless: "basic/transports/stdio" };
export const HTTP = { session: "basic/transports", stateless: "basic/transports/streamable-http" };
export const PROGRESS = {
  session: "basic/utilities/progress",
  stateless: "basic/patterns/progress",
};
export const CANCELLATION = {
  session: "basic/utilities/cancellation",
  stateless: "basic/patterns/cancellation",
};
export const ROUNDS = { stateless: "basic/patterns/mrtr" };
export const SUBSCRIPTIONS = { stateless: "basic/patterns/subscriptions" };
export const AUTHORIZATION = "basic/authorization";
export const TASKS = { session: "basic/utilities/tasks" };
export const STATELESS_TOOLS = { stateless: "server/tools" };
export const SSE = { session: "basic/transports" };
