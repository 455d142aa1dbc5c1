import type { Revision, Side } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";
import { isMasked, type TapeLine } from "../tape/index.js";
import { type CheckId, CHECKS, requirementOf, severityOf } from "./check-table.js";
import {
  type Conversation,
  openConversation,
  otherSide,
  remember,
  type SideState,
  otherEventOf,
} from "./conversation.js";
import type { Finding } from "./finding.js";
import { isMessageType, judgeEvent, judgeHttp, judgeEventType } from "./http.js";
import { judgeMessage } from "./messages.js";
import type { Scope } from "./scope.js";
import { isMembers, shown } from "../tape/json-value.js";
import { AT } from "./check.js";
import { sessionRevisions } from "./roles.js";

export interface JudgeOptions {
  /**
   * The revision to judge by: an id; `all` for every known revision; or `negotiated` for the revision that a session
   * has negotiated or that a stateless request names. Default: `negotiated`.
   */
  readonly revision?: string | undefined;
  /** True to report hints as well, which are advice that no specification states. Default: false. */
  readonly hints?: boolean | undefined;
}

/**
 * Finds faults in conversations. Pass lines in the order in which they arrive, from a tape or a transport. A {@link
 * TapeLine} for a message needs only `n`, `t`, `from`, `conversation` and `message`. Memory use does not grow with the
 * number of lines.
 */
export interface Judge {
  /** Checks a line. Returns its findings, together with those from earlier lines that had to wait for this one. */
  add(line: TapeLine): readonly Finding[];
  /** Ends all conversations. Returns the findings about anything that is missing at their end. */
  end(): readonly Finding[];
  /** True once a conversation has had more findings than are reported, which are 10,000 per revision. */
  readonly isLimited: boolean;
}

/**
 * Creates a judge.
 *
 * @throws TypeError if the revision is unknown
 */
export function createJudge(options: JudgeOptions = {}): Judge {
  const judges = revisionsToJudge(options.revision).map((forced) =>
    judgeAt(forced, options.hints ?? false),
  );
  return {
    add: (line) => judges.flatMap((one) => one.add(line)),
    end: () => judges.flatMap((one) => one.end()),
    get isLimited() {
      return judges.some((one) => one.isLimited);
    },
  };
}

/** Yields the findings in a tape's lines, in order. */
export async function* judgeTape(
  lines: AsyncIterable<TapeLine> | Iterable<TapeLine>,
  options: JudgeOptions = {},
): AsyncGenerator<Finding, void, undefined> {
  const judge = createJudge(options);
  for await (const line of lines) yield* judge.add(line);
  yield* judge.end();
}

function revisionsToJudge(revision: string | undefined): readonly (Revision | undefined)[] {
  if (revision === undefined || revision === "negotiated") return [undefined];
  if (revision === "all") return revisions;
  const found = revisions.find(({ id }) => id === revision);
  if (found) return [found];
  const known = revisions.map(({ id }) => id).join(", ");
  throw new TypeError(
    `The revision ${JSON.stringify(revision)} is not known; the revisions are ${known}`,
  );
}

function judgeAt(forced: Revision | undefined, withHints: boolean): Judge {
  const conversations = new Map<number, Conversation>();
  let found: Finding[] = [];
  let isLimited = false;

  const find = (
    conversation: Conversation,
    place: Omit<Finding, "severity" | "requirement" | "revision"> & { readonly id: CheckId },
    revision: Revision,
    pointer: string,
  ): void => {
    const { id } = place;
    const severity = severityOf(id, revision);
    if (severity === "hint" && !withHints) return;
    if (CHECKS[id].applies?.(revision) === false) return;
    const requirement = requirementOf(id, revision);
    const key = [id, place.from, pointer, place.expected, place.received].join("\n");
    if (conversation.reported.has(key)) return;
    if (conversation.reported.size >= MOST_REPORTED) {
      isLimited = true;
      return;
    }
    conversation.reported.add(key);
    found.push({
      ...place,
      ...(requirement !== undefined && { requirement }),
      severity,
      revision: revision.id,
    });
  };

  const scopeOf = (line: TapeLine, conversation: Conversation, from: Side): Scope => {
    const isAgreeing =
      forced === undefined &&
      conversation.revision === undefined &&
      conversation.opening === "requested";
    const scope: Scope = {
      line,
      from,
      conversation,
      revision: forced ?? conversation.revision ?? conversation.stateless ?? sessionRevisions[0]!,
      forced,
      place: "",
      report(id, pointer, expected, received, other = {}) {
        if (isMasked(received)) return;
        conversation.faulty = line.n;
        const place = { n: line.n, conversation: conversation.number, from, ...other };
        const values = { pointer: `${this.place}${pointer}`, expected, received: shown(received) };
        const add = (revision: Revision): void =>
          find(conversation, { id, ...place, ...values }, revision, pointer);
        const { revision } = this;
        if (isAgreeing && conversation.revision === undefined) {
          conversation.held.push((agreed) => add(agreed ?? revision));
        } else add(revision);
      },
    };
    return scope;
  };

  const taken = (): readonly Finding[] => {
    const taking = found;
    found = [];
    return taking;
  };

  const endOf = (conversation: Conversation, line: TapeLine): void => {
    release({ ...conversation, opening: "none" });
    for (const side of ["client", "server"] as const) {
      if (conversation.sides[otherSide(side)].isUnclear) continue;
      for (const request of conversation.sides[side].inFlight.values()) {
        const isOpen = request.row?.role === "listen" || request.isCancelled;
        const isUnread = request.isInArray && !request.revision.traits.batching;
        if (isOpen || isUnread || !request.isOvertaken) continue;
        const scope = scopeOf(line, conversation, otherSide(side));
        scope.revision = forced ?? request.revision;
        scope.report(
          "request-unanswered",
          "",
          `a response to ${request.method}, id ${JSON.stringify(request.id)}`,
          undefined,
          { n: request.n },
        );
      }
    }
  };

  return {
    add(line) {
      const number = line.conversation;
      let conversation = conversations.get(number);
      if (conversation === undefined) {
        conversation = openConversation(number);
        remember(conversations, number, conversation, MOST_CONVERSATIONS);
      }
      if (line.event === "closed") {
        endOf(conversation, line);
        conversations.delete(number);
        return taken();
      }
      if (line.from === undefined) return [];
      const scope = scopeOf(line, conversation, line.from);
      const side = conversation.sides[line.from];
      if (line.framing === "empty line") {
        side.emptyLine ??= side.isInText ? undefined : line;
        return [];
      }
      const isMessage = isMembers(line.message) && line.message.jsonrpc !== undefined;
      const isExplained = !isMessage && explainsBody(line, conversation);
      const isPriming = !isMessage && isFirstOfStream(line, conversation);
      if (isPriming && AT.polling(scope.revision)) {
        const received = line.text ?? line.message;
        scope.report("http-priming", "/http/event/data", "an event without data", received);
        judgeEvent(scope);
        return taken();
      }
      if (line.text !== undefined || (isExplained && line.message !== undefined)) {
        if (line.http !== undefined) judgeEvent(scope);
        if (otherEventOf(line) !== undefined) judgeEventType(scope);
        else if (!side.isInText && !isExplained)
          scope.report("output-text", "", expectedText(line.text!), line.text);
        side.isInText = line.http === undefined;
        side.isUnclear = true;
        side.emptyLine = undefined;
        return taken();
      }
      side.isInText = false;
      judgeFraming(scope, side);
      if (line.message === undefined) judgeEvent(scope);
      else {
        judgeMessage(scope, line.message);
        judgeHttp(scope, line.message);
        release(conversation);
      }
      return taken();
    },
    end() {
      for (const conversation of conversations.values()) {
        endOf(conversation, { n: 0, t: 0, conversation: conversation.number });
      }
      conversations.clear();
      return taken();
    },
    get isLimited() {
      return isLimited;
    },
  };
}

/** Recognizes the framing of other protocols (`Content-Length`), which is a common mistake. */
function expectedText(text: string): string {
  return /^content-length:/i.test(text) ? "a message, without headers before it" : "a message";
}

function isFirstOfStream({ http }: TapeLine, { exchanges }: Conversation): boolean {
  const { exchange, stream, event } = http ?? {};
  if (exchange === undefined || stream !== true || event?.id === undefined) return false;
  return event.type === undefined && exchanges.get(exchange)?.isAnswered !== true;
}

/** True if the body need not contain a message, or if its media type is reported separately. */
function explainsBody({ http }: TapeLine, { exchanges }: Conversation): boolean {
  const { exchange, status, headers, stream } = http ?? {};
  if (exchange === undefined || status === undefined || stream === true) return false;
  const body = exchanges.get(exchange)?.body;
  if (status >= 400 || body === "none") return true;
  return body === "request" && !isMessageType(headers?.["content-type"]);
}

/**
 * Checks a message's framing. An empty line is reported only with the next message, because until then it may be part
 * of a longer text.
 */
function judgeFraming(scope: Scope, side: SideState): void {
  const { framing } = scope.line;
  if (side.emptyLine) {
    const { n } = side.emptyLine;
    scope.report("output-framing", "", "a message", "an empty line", { n });
  }
  side.emptyLine = undefined;
  if (framing === "not UTF-8") scope.report("output-encoding", "", "UTF-8", framing);
  else if (framing) scope.report("output-framing", "", "a message and a line feed", framing);
}

/** The maximum number of findings per conversation. */
const MOST_REPORTED = 10_000;
const MOST_CONVERSATIONS = 10_000;

/** Reports the findings that are waiting for the response to `initialize`. */
function release({ held, opening, revision }: Conversation): void {
  if (held.length === 0 || opening === "requested") return;
  for (const add of held.splice(0)) add(revision);
}
