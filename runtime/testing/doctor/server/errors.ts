import { META, type MethodFamily } from "@mcp-codegen/runtime";
import { type Answer, NOTHING } from "../conversation.js";
import { metaOf } from "../outgoing.js";
import type { CheckId } from "../../checks/index.js";
import { codeOf, declares, expectRefusal, ask, placeOf, type Visit } from "../visit.js";
import { examineExtension } from "./extension-tasks.js";
import { familiesOf } from "./methods.js";
import { unknownTask } from "./tasks.js";
import { isStateless } from "../../checks/check.js";
import { sessionRevisions } from "../../checks/roles.js";
import { member } from "../../tape/json-value.js";

/** Sends invalid requests, and examines the resulting errors. */
export async function examineErrors(visit: Visit): Promise<void> {
  await unknownMethod(visit);
  await unknownItems(visit);
  await unknownTask(visit);
  await unknownLevel(visit);
  await invalidCursors(visit);
  if (!isStateless(visit.revision)) return;
  await removedMethods(visit);
  await withoutMeta(visit);
  await examineExtension(visit);
}

/**
 * The name of a member that every JavaScript object inherits. A server that looks up names in a plain object finds a
 * value for it.
 */
const INHERITED = "constructor";

const UNKNOWN_URI = `${NOTHING}://nothing/here`;

async function unknownMethod(visit: Visit): Promise<void> {
  const how = { code: -32601, about: "an unknown method" };
  const answer = await expectRefusal(visit, "method-refused", `${NOTHING}/method`, how);
  if (answer === undefined) return;
  const message = answer.kind === "error" ? String(answer.error["message"]) : "";
  const shows = /\n\s+at |node_modules|File ".*", line \d+|\/(?:home|Users|usr|var)\/\w/.test(
    message,
  );
  visit.expect("error-leak", !shows, { ...placeOf(answer), pointer: "/error/message" });
}

async function removedMethods(visit: Visit): Promise<void> {
  const { methods } = visit.revision;
  const removed = [...sessionRevisions[0]!.methods.values()].filter(
    ({ method, kind, from, role }) =>
      kind === "request" && from !== "server" && role !== "initialize" && !methods.has(method),
  );
  for (const { method } of removed) {
    // Extensions may define the task methods.
    if (method.startsWith("tasks/")) continue;
    const params = { level: "error", uri: UNKNOWN_URI };
    const answer = await expectRefusal(visit, "method-refused", method, { params, code: -32601 });
    if (answer === undefined || codeOf(answer) !== -32601) return;
  }
}

async function unknownItems(visit: Visit): Promise<void> {
  const { conversation, revision, capabilities } = visit;
  for (const family of familiesOf(revision)) {
    const { use, by } = family;
    const { kind } = family;
    const isServed = declares(capabilities, family.capability);
    if (kind === "template" || kind === "other" || conversation.ending) continue;
    if (use === undefined || by === undefined || !isServed) continue;
    const params = { [by]: by === "uri" ? UNKNOWN_URI : NOTHING };
    const about = `${use} of what does not exist`;
    if (kind === "prompt") {
      const found = await expectRefusal(visit, "prompt-unknown", use, { params, about });
      if (codeOf(found) === -32602)
        await expectRefusal(visit, "prompt-unknown", use, { params: { [by]: INHERITED }, about });
      // Over HTTP, the server may first require a header that mirrors the name.
      const isHttp = conversation.transport === "http" && revision.conventions.methodHeaders;
      if (!isHttp) await withoutName(visit, "prompt-unknown", use);
      continue;
    }
    const answer = await ask(visit, use, params, { about });
    if (answer === undefined) continue;
    if (kind === "tool") {
      if (!checkUnknownTool(visit, answer)) continue;
      await withoutName(visit, "params-refused", use);
      const other = await ask(visit, use, { [by]: INHERITED }, { about });
      if (other) checkUnknownTool(visit, other);
    } else checkUnknownResource(visit, answer, UNKNOWN_URI);
  }
}

/** Returns false if the call to the unknown tool succeeded. */
function checkUnknownTool(visit: Visit, answer: Answer): boolean {
  const succeeds = answer.kind === "result" && answer.result["isError"] !== true;
  if (!visit.expect("tool-invented", !succeeds, placeOf(answer))) return false;
  visit.expect("tool-unknown", codeOf(answer) === -32602, placeOf(answer));
  return true;
}

async function withoutName(visit: Visit, id: CheckId, use: string): Promise<void> {
  const about = `${use} without a name`;
  const unnamed = await ask(visit, use, { arguments: {} }, { about });
  if (unnamed === undefined) return;
  // Over HTTP, the header that mirrors the name is missing as well.
  const isHttp = visit.conversation.transport === "http";
  const codes = [-32602, ...(isHttp ? [visit.revision.errorCodes["HEADER_MISMATCH"]] : [])];
  visit.expect(id, codes.includes(codeOf(unnamed)), {
    ...placeOf(unnamed),
    expected: `-32602, as ${use} had no name`,
  });
}

export function checkUnknownResource(visit: Visit, answer: Answer, uri: string): void {
  if (!visit.expect("resource-invented", answer.kind !== "result", placeOf(answer))) return;
  const code = visit.revision.errorCodes["RESOURCE_NOT_FOUND"] ?? -32602;
  const isRight = visit.expect("resource-unknown", codeOf(answer) === code, {
    ...placeOf(answer),
    expected: `the error ${code}`,
  });
  if (!isRight || answer.kind !== "error") return;
  const received = member(answer.error["data"], "uri");
  const place = { line: answer.line, pointer: "/error/data/uri", received };
  visit.expect("resource-named", received === uri, place);
}

async function unknownLevel(visit: Visit): Promise<void> {
  const level = visit.revision.methods.get("logging/setLevel");
  if (level === undefined || !declares(visit.capabilities, level.capability)) return;
  await expectRefusal(visit, "level-unknown", level.method, { params: { level: "deafening" } });
  const about = `${level.method} without a level`;
  await expectRefusal(visit, "level-unknown", level.method, { about });
}

async function invalidCursors(visit: Visit): Promise<void> {
  const listed = [...visit.lists]
    .filter(([family, { length }]) => length > 0 && !visit.endless.has(family))
    .map(([family]) => family)
    .toSorted((one, other) => Number(isOfTemplates(one)) - Number(isOfTemplates(other)));
  let areRefused = true;
  for (const family of listed) {
    // A server that ignores the cursors of other lists ignores those of templates for the same reason.
    if (isOfTemplates(family) && !areRefused) continue;
    const { list } = family;
    const about = `${list} with an invalid cursor`;
    const params = { cursor: NOTHING };
    const answer = await expectRefusal(visit, "cursor-refused", list, { params, about });
    areRefused &&= codeOf(answer) === -32602;
  }
}

function isOfTemplates({ templatesOf }: MethodFamily): boolean {
  return templatesOf !== undefined;
}

async function withoutMeta(visit: Visit): Promise<void> {
  const { revision, capabilities, conversation } = visit;
  const family = familiesOf(revision).find(({ capability }) => declares(capabilities, capability));
  if (family === undefined) return;
  await expectRefusal(visit, "meta-required", family.list, {
    params: { _meta: { [META.revision]: revision.id } },
    bare: true,
    about: `${family.list} without client capabilities`,
  });
  // A server with sessions may treat requests without a version as part of a session.
  const nameless = [{ _meta: { [META.clientCapabilities]: {} } }, {}];
  const isUnread = visit.isSessionless && conversation.transport !== "http";
  for (const params of isUnread ? nameless : []) {
    const about = `${family.list} without a version`;
    await expectRefusal(visit, "meta-required", family.list, { params, bare: true, about });
  }
  const { [META.clientInfo]: _, ...required } = metaOf(revision, conversation.capabilities);
  const about = `${family.list} without client information`;
  const answer = await ask(visit, family.list, { _meta: required }, { bare: true, about });
  if (answer) visit.expect("meta-optional", answer.kind === "result", placeOf(answer));
  if (!declares(capabilities, LOGGING)) return;
  await expectRefusal(visit, "level-unknown", family.list, {
    meta: { [META.logLevel]: "deafening" },
    about: `${family.list} with an unknown log level`,
  });
}

const LOGGING = "server.logging";
