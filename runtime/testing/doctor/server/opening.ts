import { isStateless, methodOf, NO_VERSION } from "./methods.js";
import { META, type Revision } from "@mcp-codegen/runtime";
import {
  type Answer,
  CLIENT_INFO,
  type Conversation,
  isMembers,
  type Members,
} from "../conversation.js";
import { type Chart, createVisit, showAnswer, type Visit } from "../visit.js";

/** Outcome of opening a conversation at one revision. */
export type Opening =
  | { readonly kind: "open"; readonly visit: Visit; readonly info: unknown }
  /** The server answered, but supports other revisions. */
  | { readonly kind: "other"; readonly versions: readonly string[] }
  | { readonly kind: "failed"; readonly answer: Answer };

/** Opens a conversation as a revision requires: with a handshake, or by discovery. */
export async function open(
  revision: Revision,
  conversation: Conversation,
  options: {
    readonly chart: Chart;
    readonly capabilities: Members;

    readonly timeout: number;
  },
): Promise<Opening> {
  const visit = createVisit(revision, conversation, options.chart);
  return isStateless(revision) ? discover(visit, options.timeout) : initialize(visit, options);
}

async function initialize(
  visit: Visit,
  {
    capabilities,
    timeout,
  }: {
    readonly capabilities: Members;

    readonly timeout: number;
  },
): Promise<Opening> {
  const { revision, conversation } = visit;
  const params = { protocolVersion: revision.id, capabilities, clientInfo: CLIENT_INFO };
  const answer = await conversation.request(methodOf(revision, "initialize"), params, { timeout });
  if (answer.kind !== "result") return { kind: "failed", answer };
  const { protocolVersion: version, serverInfo: info } = answer.result;
  if (typeof version === "string" && version !== revision.id) {
    return { kind: "other", versions: [version] };
  }
  visit.capabilities = declaredIn(answer.result);
  conversation.speak(revision);
  await conversation.notify(methodOf(revision, "initialized"));
  if (revision.conventions.http === "streamable" && conversation.transport === "http") {
    conversation.listen();
  }
  return { kind: "open", visit, info };
}

async function discover(visit: Visit, timeout: number): Promise<Opening> {
  const { revision, conversation } = visit;
  conversation.speak(revision);
  const answer = await conversation.request(methodOf(revision, "discover"), {}, { timeout });
  if (answer.kind === "error") {
    const { data } = answer.error;
    const versions = isMembers(data) && Array.isArray(data["supported"]) ? data["supported"] : [];
    return versions.length > 0
      ? { kind: "other", versions: versions.map(String) }
      : { kind: "failed", answer };
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
    return { kind: "other", versions: versions.map(String) };
  }
  visit.capabilities = declaredIn(answer.result);
  const meta = answer.result["_meta"];
  const info = isMembers(meta) ? meta[META.serverInfo] : undefined;
  return { kind: "open", visit, info };
}

function declaredIn(result: Members): Members {
  const { capabilities } = result;
  return isMembers(capabilities) ? capabilities : {};
}

/** Requests a version that does not exist, in a conversation of its own. */
export async function openAtNoVersion(
  revision: Revision,
  conversation: Conversation,
  chart: Chart,
): Promise<void> {
  const visit = createVisit(revision, conversation, chart);
  if (isStateless(revision)) {
    conversation.speak({ ...revision, id: NO_VERSION });
    const answer = await conversation.request(methodOf(revision, "discover"));
    const data = answer.kind === "error" ? answer.error["data"] : undefined;
    const isRefused =
      answer.kind === "error" &&
      answer.error["code"] === revision.errorCodes["UNSUPPORTED_PROTOCOL_VERSION"] &&
      isMembers(data) &&
      Array.isArray(data["supported"]) &&
      data["supported"].includes(revision.id);
    const line = "line" in answer ? answer.line : undefined;
    const pointer = answer.kind === "error" ? "/error" : "";
    visit.expect("version-refused", isRefused, { line, pointer, received: showAnswer(answer) });
    return;
  }
  const params = { protocolVersion: NO_VERSION, capabilities: {}, clientInfo: CLIENT_INFO };
  const answer = await conversation.request(methodOf(revision, "initialize"), params);
  if (answer.kind !== "result") return;
  const received = answer.result["protocolVersion"];
  const pointer = "/result/protocolVersion";
  visit.expect("version-invented", received !== NO_VERSION, {
    line: answer.line,
    pointer,
    received,
  });
}
