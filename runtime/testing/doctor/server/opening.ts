import { META } from "@mcp-codegen/runtime";
import { type Answer, CLIENT_INFO } from "../conversation.js";
import { codeOf, placeOf, type Visit } from "../visit.js";
import { isMembers, type Members, member } from "../../tape/json-value.js";
import { methodOf, sessionRevisions } from "../../checks/roles.js";
import { isStateless } from "../../checks/check.js";

/** Outcome of opening a conversation in one revision. */
export type Opening =
  | { readonly kind: "open"; readonly info: unknown }
  /** The server responded, but supports other revisions. */
  | { readonly kind: "other" }
  | { readonly kind: "failed"; readonly answer: Answer };

/** Opens a conversation as a revision requires: with a handshake, or by discovery. */
export function open(visit: Visit, timeout: number): Promise<Opening> {
  return isStateless(visit.revision) ? discover(visit, timeout) : initialize(visit, timeout);
}

async function initialize(visit: Visit, timeout: number): Promise<Opening> {
  const { revision, conversation } = visit;
  const { capabilities } = conversation;
  const params = { protocolVersion: revision.id, capabilities, clientInfo: CLIENT_INFO };
  const answer = await conversation.request(methodOf(revision, "initialize"), params, { timeout });
  if (answer.kind !== "result") return { kind: "failed", answer };
  const { protocolVersion: version, serverInfo: info } = answer.result;
  if (typeof version === "string" && version !== revision.id) return { kind: "other" };
  visit.capabilities = declaredIn(answer.result);
  conversation.speak(revision);
  await conversation.notify(methodOf(revision, "initialized"));
  if (revision.conventions.http === "streamable" && conversation.transport === "http") {
    conversation.listen();
  }
  return { kind: "open", info };
}

async function discover(visit: Visit, timeout: number): Promise<Opening> {
  const { revision, conversation } = visit;
  conversation.speak(revision);
  const answer = await conversation.request(methodOf(revision, "discover"), {}, { timeout });
  if (answer.kind === "error") {
    const { data } = answer.error;
    const supported = member(data, "supported");
    const isOther = Array.isArray(supported) && supported.length > 0;
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
  return { kind: "open", info: member(answer.result["_meta"], META.serverInfo) };
}

function declaredIn(result: Members): Members {
  const { capabilities } = result;
  return isMembers(capabilities) ? capabilities : {};
}

/**
 * Requests a version that does not exist, in a conversation of its own.
 * @param known - revisions that a stateless server names in its discovery
 */
export async function openAtNoVersion(
  visit: Visit,
  version: string,
  known: readonly unknown[],
): Promise<void> {
  const { revision, conversation } = visit;
  if (isStateless(revision)) {
    conversation.speak({ ...revision, id: version });
    const answer = await conversation.request(methodOf(revision, "discover"));
    const { data } = answer.kind === "error" ? answer.error : {};
    const supported = member(data, "supported");
    const isRefused =
      codeOf(answer) === revision.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"] &&
      Array.isArray(supported) &&
      supported.includes(revision.id);
    const pointer = answer.kind === "error" ? "/error" : "";
    visit.expect("version-refused", isRefused, { ...placeOf(answer), pointer });
    // Revisions with sessions may be listed in errors as well, for clients that support both kinds.
    const isUnnamed = (one: unknown): boolean =>
      !known.includes(one) && !sessionRevisions.some(({ id }) => id === one);
    const extra = isRefused ? supported.find(isUnnamed) : undefined;
    visit.expect("version-refused", extra === undefined, {
      ...placeOf(answer),
      pointer: "/error/data/supported",
      expected: `the revisions that discovery names: ${known.join(", ")}`,
      received: supported,
    });
    return;
  }
  const params = { protocolVersion: version, capabilities: {}, clientInfo: CLIENT_INFO };
  const answer = await conversation.request(methodOf(revision, "initialize"), params);
  if (answer.kind !== "result") return;
  const received = answer.result["protocolVersion"];
  const place = { line: answer.line, pointer: "/result/protocolVersion", received };
  visit.expect("version-invented", received !== version, place);
}
