import { META } from "@mcp-codegen/runtime";
import { type Answer, NOTHING } from "../conversation.js";
import { codeOf, declares, isSettled, lineOf, showAnswer, type Visit } from "../visit.js";
import { familiesOf, familyOf, isStateless } from "./methods.js";

/** Requests what cannot be had, and examines the errors. */
export async function examineErrors(visit: Visit): Promise<void> {
  await unknownMethod(visit);
  await unknownItems(visit);
  await invalidParams(visit);
  await invalidCursors(visit);
  if (isStateless(visit.revision)) await withoutMeta(visit);
}

const at = (answer: Answer) => ({
  line: lineOf(answer),
  pointer: answer.kind === "error" ? "/error" : answer.kind === "result" ? "/result" : "",
  received: showAnswer(answer),
});

async function unknownMethod(visit: Visit): Promise<void> {
  const method = `${NOTHING}/method`;
  const answer = await visit.conversation.request(method);
  if (!isSettled(visit, answer, "an unknown method")) return;
  visit.expect("method-refused", codeOf(answer) === -32601, at(answer));
  const message = answer.kind === "error" ? String(answer.error["message"]) : "";
  const shows = /\n\s+at |node_modules|File ".*", line \d+|\/(?:home|Users|usr|var)\/\w/.test(
    message,
  );
  visit.expect("error-leak", !shows, { ...at(answer), pointer: "/error/message" });
}

async function unknownItems(visit: Visit): Promise<void> {
  const { conversation, revision, capabilities } = visit;
  for (const family of familiesOf(revision)) {
    const { use, by, templatesOf, name } = family;
    const isServed = declares(capabilities, family.capability);
    if (use === undefined || by === undefined || templatesOf !== undefined || !isServed) continue;
    if (!["tools", "prompts", "resources"].includes(name) || conversation.ending) continue;
    const key = by === "uri" ? `${NOTHING}://nothing/here` : NOTHING;
    const answer = await conversation.request(use, { [by]: key });
    if (!isSettled(visit, answer, `${use} of what does not exist`)) continue;
    if (name === "tools") checkUnknownTool(visit, answer);
    else if (name === "prompts")
      visit.expect("prompt-unknown", codeOf(answer) === -32602, at(answer));
    else checkUnknownResource(visit, answer);
  }
}

function checkUnknownTool(visit: Visit, answer: Answer): void {
  const succeeds = answer.kind === "result" && answer.result["isError"] !== true;
  if (visit.expect("tool-invented", !succeeds, at(answer))) {
    visit.expect("tool-unknown", codeOf(answer) === -32602, at(answer));
  }
}

function checkUnknownResource(visit: Visit, answer: Answer): void {
  if (!visit.expect("resource-invented", answer.kind !== "result", at(answer))) return;
  const code = visit.revision.errorCodes["RESOURCE_NOT_FOUND"] ?? -32602;
  visit.expect("resource-unknown", codeOf(answer) === code, {
    ...at(answer),
    expected: `the error ${code}`,
  });
}

async function invalidParams(visit: Visit): Promise<void> {
  const isHttp = visit.conversation.transport === "http";
  const { conversation, revision, capabilities } = visit;
  const tools = familyOf(revision, "tools");
  if (tools?.use !== undefined && declares(capabilities, tools.capability)) {
    const answer = await conversation.request(tools.use, { arguments: {} });
    if (isSettled(visit, answer, `${tools.use} without a name`)) {
      // Over HTTP, the header that repeats the name is missing, too.
      const codes = [-32602, ...(isHttp ? [revision.errorCodes["HEADER_MISMATCH"]] : [])];
      visit.expect("params-refused", codes.includes(codeOf(answer)), {
        ...at(answer),
        expected: `-32602, as ${tools.use} had no name`,
      });
    }
  }
  const level = revision.methods.get("logging/setLevel");
  if (level === undefined || !declares(capabilities, level.capability)) return;
  const answer = await conversation.request(level.method, { level: "deafening" });
  if (isSettled(visit, answer, level.method))
    visit.expect("level-unknown", codeOf(answer) === -32602, at(answer));
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
      ...at(answer),
      pointer: answer.kind === "error" ? "/error/code" : "",
    });
  }
}

/** A request that names neither its revision nor the capabilities of its client. */
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
    visit.expect("meta-required", answer.kind !== "result", at(answer));
  }
}
