import { META } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal/revisions";
import { type Answer, isMembers, NOTHING } from "../conversation.js";
import { codeOf, declares, isSettled, placeOf, type Visit } from "../visit.js";
import { familiesOf, isStateless, kindOf } from "./methods.js";

/** Requests items that do not exist, and examines the errors. */
export async function examineErrors(visit: Visit): Promise<void> {
  await unknownMethod(visit);
  await unknownItems(visit);
  await unknownLevel(visit);
  await invalidCursors(visit);
  if (isStateless(visit.revision)) {
    await removedMethod(visit);
    await withoutMeta(visit);
    await taskExtension(visit);
  }
}

async function unknownMethod(visit: Visit): Promise<void> {
  const method = `${NOTHING}/method`;
  const answer = await visit.conversation.request(method);
  if (!isSettled(visit, answer, "an unknown method")) return;
  visit.expect("method-refused", codeOf(answer) === -32601, placeOf(answer));
  const message = answer.kind === "error" ? String(answer.error["message"]) : "";
  const shows = /\n\s+at |node_modules|File ".*", line \d+|\/(?:home|Users|usr|var)\/\w/.test(
    message,
  );
  visit.expect("error-leak", !shows, { ...placeOf(answer), pointer: "/error/message" });
}

/** Requests a method that only other revisions have. */
async function removedMethod(visit: Visit): Promise<void> {
  const { methods } = visit.revision;
  const ping = revisions
    .flatMap((one) => [...one.methods.values()])
    .find(({ role, method }) => role === "ping" && !methods.has(method));
  if (ping === undefined || visit.conversation.ending) return;
  const answer = await visit.conversation.request(ping.method);
  if (!isSettled(visit, answer, ping.method)) return;
  visit.expect("method-refused", codeOf(answer) === -32601, placeOf(answer));
}

async function unknownItems(visit: Visit): Promise<void> {
  const { conversation, revision, capabilities } = visit;
  for (const family of familiesOf(revision)) {
    const { use, by } = family;
    const kind = kindOf(family);
    const isServed = declares(capabilities, family.capability) && kind !== "template";
    if (use === undefined || by === undefined || !isServed || conversation.ending) continue;
    const key = by === "uri" ? `${NOTHING}://nothing/here` : NOTHING;
    const answer = await conversation.request(use, { [by]: key });
    if (!isSettled(visit, answer, `${use} of what does not exist`)) continue;
    if (kind === "tool") await checkUnknownTool(visit, answer, use);
    else if (kind === "resource") checkUnknownResource(visit, answer);
    else {
      const id = kind === "prompt" ? "prompt-unknown" : "task-unknown";
      visit.expect(id, codeOf(answer) === -32602, placeOf(answer));
    }
  }
}

async function checkUnknownTool(visit: Visit, answer: Answer, use: string): Promise<void> {
  const succeeds = answer.kind === "result" && answer.result["isError"] !== true;
  if (!visit.expect("tool-invented", !succeeds, placeOf(answer))) return;
  visit.expect("tool-unknown", codeOf(answer) === -32602, placeOf(answer));
  if (visit.conversation.ending) return;
  const unnamed = await visit.conversation.request(use, { arguments: {} });
  if (!isSettled(visit, unnamed, `${use} without a name`)) return;
  // Over HTTP, the header that repeats the name is missing, too.
  const isHttp = visit.conversation.transport === "http";
  const codes = [-32602, ...(isHttp ? [visit.revision.errorCodes["HEADER_MISMATCH"]] : [])];
  visit.expect("params-refused", codes.includes(codeOf(unnamed)), {
    ...placeOf(unnamed),
    expected: `-32602, as ${use} had no name`,
  });
}

function checkUnknownResource(visit: Visit, answer: Answer): void {
  if (!visit.expect("resource-invented", answer.kind !== "result", placeOf(answer))) return;
  const code = visit.revision.errorCodes["RESOURCE_NOT_FOUND"] ?? -32602;
  visit.expect("resource-unknown", codeOf(answer) === code, {
    ...placeOf(answer),
    expected: `the error ${code}`,
  });
}

async function unknownLevel(visit: Visit): Promise<void> {
  const { conversation, revision, capabilities } = visit;
  const level = revision.methods.get("logging/setLevel");
  if (level === undefined || !declares(capabilities, level.capability)) return;
  const answer = await conversation.request(level.method, { level: "deafening" });
  if (isSettled(visit, answer, level.method))
    visit.expect("level-unknown", codeOf(answer) === -32602, placeOf(answer));
}

async function invalidCursors(visit: Visit): Promise<void> {
  for (const [family, { length }] of visit.lists) {
    const { list, templatesOf } = family;
    if (
      templatesOf !== undefined ||
      visit.endless.has(family) ||
      length === 0 ||
      visit.conversation.ending
    )
      continue;
    const answer = await visit.conversation.request(list, { cursor: NOTHING });
    if (!isSettled(visit, answer, `${list} with an invalid cursor`)) continue;
    visit.expect("cursor-refused", codeOf(answer) === -32602, {
      ...placeOf(answer),
      ...(answer.kind === "error" && { pointer: "/error/code" }),
    });
  }
}

/** Sends a request that names neither its revision nor the capabilities of its client. */
async function withoutMeta(visit: Visit): Promise<void> {
  const { conversation, revision } = visit;
  const [family] = familiesOf(revision).filter(({ capability }) =>
    declares(visit.capabilities, capability),
  );
  if (family === undefined) return;
  const answer = await conversation.request(
    family.list,
    { _meta: { [META.revision]: revision.id } },
    { bare: true },
  );
  if (isSettled(visit, answer, `${family.list} without client capabilities`)) {
    visit.expect("meta-required", codeOf(answer) === -32602, placeOf(answer));
  }
  if (!declares(visit.capabilities, LOGGING) || conversation.ending) return;
  const meta = { [META.logLevel]: "deafening" };
  const level = await conversation.request(family.list, {}, { meta });
  if (isSettled(visit, level, `${family.list} with an unknown log level`)) {
    visit.expect("level-unknown", codeOf(level) === -32602, placeOf(level));
  }
}

const LOGGING = "server.logging";
const TASKS = "io.modelcontextprotocol/tasks";

/** Requests a task that does not exist from a server with the tasks extension: as a client that declares it, and as another. */
async function taskExtension(visit: Visit): Promise<void> {
  const { conversation, revision, capabilities } = visit;
  const { extensions } = capabilities;
  if (!isMembers(extensions) || extensions[TASKS] === undefined) return;
  const own = { [META.clientCapabilities]: { extensions: { [TASKS]: {} } } };
  const missing = revision.errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"];
  const cases = [
    ["tasks/get", own, -32602, "as there is no such task"],
    ["tasks/result", own, -32601, "as only sessions have this method"],
    ["tasks/list", own, -32601, "as only sessions have this method"],
    ["tasks/get", {}, missing, "as the client has not declared the extension"],
  ] as const;
  for (const [method, meta, code, why] of cases) {
    if (conversation.ending) return;
    const headers = { "mcp-name": NOTHING };
    const answer = await conversation.request(method, { taskId: NOTHING }, { meta, headers });
    if (!isSettled(visit, answer, method)) continue;
    const expected = `the error ${code}, ${why}`;
    visit.expect("task-extension", codeOf(answer) === code, { ...placeOf(answer), expected });
  }
}
