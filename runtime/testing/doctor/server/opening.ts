import { META } from "@mcp-codegen/runtime";
import { type Answer } from "../conversation.js";
import { DOCTOR_INFO } from "../outgoing.js";
import { codeOf, declares, type Place, placeOf, type Visit } from "../visit.js";
import { checkIcons } from "./items.js";
import { familiesOf } from "./methods.js";
import { below, isMembers, type Members, member } from "../../tape/json-value.js";
import { methodOf, sessionRevisions } from "../../checks/roles.js";
import { isStateless } from "../../checks/check.js";

/** The outcome of opening a conversation in one revision. */
export type Opening =
  | { readonly kind: "open"; readonly info: unknown }
  /** The server responded, but supports other revisions. */
  | { readonly kind: "other" }
  | { readonly kind: "failed"; readonly answer: Answer };

export interface OpeningForm {
  /** An id to use for the request. By default, the id is a number. */
  readonly id?: string;
  /** Members to add to `clientInfo`, besides the name and version. */
  readonly info?: Members;
}

/** Opens a conversation in the way the revision requires: with a handshake or by discovery. */
export function open(visit: Visit, timeout: number, form: OpeningForm = {}): Promise<Opening> {
  const opens = isStateless(visit.revision) ? discover : initialize;
  return opens(visit, timeout, form);
}

async function initialize(
  visit: Visit,
  timeout: number,
  { id, info: more }: OpeningForm,
): Promise<Opening> {
  const { revision, conversation } = visit;
  const { capabilities } = conversation;
  const clientInfo = { ...DOCTOR_INFO, ...more };
  const params = { protocolVersion: revision.id, capabilities, clientInfo };
  const settings = { timeout, ...(id !== undefined && { id }) };
  const answer = await conversation.request(methodOf(revision, "initialize"), params, settings);
  if (answer.kind !== "result") return { kind: "failed", answer };
  const { protocolVersion: version, serverInfo: info } = answer.result;
  if (typeof version === "string" && version !== revision.id) return { kind: "other" };
  visit.capabilities = declaredIn(answer.result);
  checkInfo(visit, info, { line: answer.line, pointer: "/result/serverInfo" });
  conversation.speak(revision);
  await pingEarly(visit, timeout);
  await conversation.notify(methodOf(revision, "initialized"));
  if (revision.conventions.http === "streamable" && conversation.transport === "http") {
    conversation.listen();
    // The server must not repeat messages on a second stream.
    if (Object.keys(capabilities).length === 0) conversation.listen();
  }
  return { kind: "open", info };
}

/** Sends a ping before the session is initialized, as the protocol allows. */
async function pingEarly(visit: Visit, timeout: number): Promise<void> {
  const { conversation, revision } = visit;
  const answer = await conversation.request(methodOf(revision, "ping"), {}, { timeout });
  const isMissing =
    answer.kind === "error" || answer.kind === "silence" || answer.kind === "refused";
  const expected = "an empty result, also before notifications/initialized";
  visit.expect("ping-answered", !isMissing, { ...placeOf(answer), expected });
}

async function discover(visit: Visit, timeout: number, { id }: OpeningForm): Promise<Opening> {
  const { revision, conversation } = visit;
  conversation.speak(revision);
  const settings = { timeout, ...(id !== undefined && { id }) };
  const answer = await conversation.request(methodOf(revision, "discover"), {}, settings);
  if (answer.kind === "error") {
    const { data } = answer.error;
    const supported = member(data, "supported");
    const isOther = Array.isArray(supported) && supported.length > 0;
    if (codeOf(answer) === -32601) await withoutDiscovery(visit, answer);
    return isOther ? { kind: "other" } : { kind: "failed", answer };
  }
  if (answer.kind !== "result") return { kind: "failed", answer };
  const { supportedVersions: versions } = answer.result;
  if (Array.isArray(versions) && !versions.includes(revision.id)) {
    visit.expect("version-refused", false, {
      line: answer.line,
      pointer: "/result/supportedVersions",
      expected: `${revision.id}, which the request is at, or the error -32022`,
      received: versions,
    });
    return { kind: "other" };
  }
  visit.capabilities = declaredIn(answer.result);
  visit.supported = Array.isArray(versions) ? versions : [revision.id];
  const info = member(answer.result["_meta"], META.serverInfo);
  const pointer = below("/result/_meta", META.serverInfo);
  checkInfo(visit, info, { line: answer.line, pointer });
  return { kind: "open", info };
}

/** Reports a server that serves stateless requests but not `server/discover`. */
async function withoutDiscovery(visit: Visit, answer: Answer): Promise<void> {
  const [family] = familiesOf(visit.revision);
  const listed = family && (await visit.conversation.request(family.list));
  const isServed = listed?.kind === "result" && listed.result["resultType"] !== undefined;
  visit.expect("opening-answered", !isServed, {
    ...placeOf(answer),
    expected: `a result, as ${family?.list} is served`,
  });
}

function checkInfo(visit: Visit, info: unknown, { line, pointer }: Omit<Place, "received">): void {
  if (!isMembers(info)) return;
  checkIcons(visit, info, (path, received) => ({ line, pointer: `${pointer}${path}`, received }));
}

function declaredIn(result: Members): Members {
  const { capabilities } = result;
  return isMembers(capabilities) ? capabilities : {};
}

/**
 * Requests a version that does not exist or that sessions cannot have.
 *
 * @param first - the first visit in the same revision
 */
export function openAtNoVersion(visit: Visit, version: string, first: Visit): Promise<void> {
  return isStateless(visit.revision)
    ? discoverAt(visit, version, first)
    : initializeAt(visit, version);
}

async function discoverAt(
  visit: Visit,
  version: string,
  { supported: known, capabilities }: Visit,
): Promise<void> {
  const { revision, conversation } = visit;
  const code = revision.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"];
  conversation.speak({ ...revision, id: version });
  const answer = await conversation.request(methodOf(revision, "discover"));
  const { data } = answer.kind === "error" ? answer.error : {};
  const supported = member(data, "supported");
  const isRefused =
    codeOf(answer) === code && Array.isArray(supported) && supported.includes(revision.id);
  const pointer = answer.kind === "error" ? "/error" : "";
  visit.expect("version-refused", isRefused, { ...placeOf(answer), pointer });
  // Errors may also list revisions with sessions, for clients that support both kinds.
  const isUnnamed = (one: unknown): boolean =>
    !known.includes(one) && !sessionRevisions.some(({ id }) => id === one);
  const extra = isRefused ? supported.find(isUnnamed) : undefined;
  visit.expect("version-refused", extra === undefined, {
    ...placeOf(answer),
    pointer: "/error/data/supported",
    expected: `the revisions that discovery names: ${known.join(", ")}`,
    received: supported,
  });
  const family = familiesOf(revision).find((one) => declares(capabilities, one.capability));
  if (!isRefused || extra !== undefined || family === undefined) return;
  const listed = await conversation.request(family.list);
  visit.expect("version-refused", codeOf(listed) === code, { ...placeOf(listed), pointer: "" });
}

async function initializeAt(visit: Visit, version: string): Promise<void> {
  const { revision, conversation } = visit;
  const params = { protocolVersion: version, capabilities: {}, clientInfo: DOCTOR_INFO };
  const answer = await conversation.request(methodOf(revision, "initialize"), params);
  if (answer.kind !== "result") return;
  const received = answer.result["protocolVersion"];
  const place = { line: answer.line, pointer: "/result/protocolVersion", received };
  if (!visit.expect("version-invented", received !== version, place)) return;
  const isKnown = sessionRevisions.some(({ id }) => id === received);
  visit.expect("version-latest", !isKnown || String(received) >= revision.id, {
    ...place,
    expected: `${revision.id}, which the server supports`,
  });
}
