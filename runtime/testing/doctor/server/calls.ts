import type { MethodFamily } from "@mcp-codegen/runtime";
import { type Answer, isMembers, type Members, NOTHING, quiet } from "../conversation.js";
import { codeOf, declares, isSettled, lineOf, show, showAnswer, type Visit } from "../visit.js";
import { answerInput } from "./input.js";
import { familyOf, methodOf } from "./methods.js";

/** Call of a tool that the user has named. */
export interface NamedCall {
  readonly tool: string;
  readonly arguments: Members;
}

/** Most resources and prompts that are read. */
const MOST = 10;

type Result = Answer & { readonly kind: "result" };

/** Calls the named tools, and reads resources and prompts that need no arguments. */
export async function useItems(
  visit: Visit,
  calls: readonly NamedCall[],
  callSafe: boolean,
): Promise<void> {
  const tools = familyOf(visit.revision, "tools");
  if (tools?.use !== undefined) {
    const listed = itemsOf(visit, tools);
    const safe = callSafe
      ? listed.filter(isSafe).map(({ name }) => ({ tool: String(name), arguments: {} }))
      : [];
    const others = safe.filter(({ tool }) => calls.every((one) => one.tool !== tool));
    let token = 0;
    for (const call of [...calls, ...others]) {
      if (visit.conversation.ending) return;
      await callTool(
        visit,
        tools.use,
        call,
        listed.find(({ name }) => name === call.tool),
        `doctor-${++token}`,
      );
    }
  }
  await readResources(visit);
  await getPrompts(visit);
  await complete(visit);
}

function itemsOf(visit: Visit, family: MethodFamily): readonly Members[] {
  return (visit.lists.get(family) ?? []).map(({ item }) => item).filter(isMembers);
}

/** True for a tool that only reads, and needs no arguments. */
function isSafe({ annotations, inputSchema }: Members): boolean {
  const required = isMembers(inputSchema) ? inputSchema["required"] : undefined;
  return (
    isMembers(annotations) &&
    annotations["readOnlyHint"] === true &&
    (!Array.isArray(required) || required.length === 0)
  );
}

async function callTool(
  visit: Visit,
  method: string,
  call: NamedCall,
  tool: Members | undefined,
  token: string,
): Promise<void> {
  const { conversation } = visit;
  const params = { name: call.tool, arguments: call.arguments };
  const meta = { progressToken: token };
  const answer = await withInput(visit, method, params, meta);
  if (answer.kind === "result" && !isMembers(answer.result["task"])) {
    checkResult(visit, answer);
  } else {
    const place = { line: lineOf(answer), pointer: "/error", received: showAnswer(answer) };
    if (answer.kind === "silence") {
      // A tool that still makes progress only takes longer than the doctor waits.
      const works = conversation.since(0).some(({ message }) => isProgressOf(message, token));
      const received = `no answer to ${method} of ${call.tool}`;
      visit.expect("request-silent", works, { received });
    } else if (answer.kind === "error")
      visit.expect("tool-failure", tool === undefined || codeOf(answer) === -32602, place);
  }
  // What comes after the response is a finding, too.
  await quiet(conversation, 60);
  const { annotations } = tool ?? {};
  const isRepeatable =
    isMembers(annotations) &&
    (annotations["readOnlyHint"] === true || annotations["idempotentHint"] === true);
  if (isRepeatable && conversation.transport === "stdio") await cancelCall(visit, method, params);
}

function isProgressOf(message: unknown, token: string): boolean {
  const params = isMembers(message) ? message["params"] : undefined;
  return isMembers(params) && params["progressToken"] === token;
}

/** Sends a request, and answers the input that a stateless server requests. */
async function withInput(
  visit: Visit,
  method: string,
  params: Members,
  meta: Members,
): Promise<Answer> {
  let answer = await visit.conversation.request(method, params, { meta });
  for (let round = 0; round < 3; round++) {
    if (answer.kind !== "result" || answer.result["resultType"] !== "input_required") return answer;
    const { inputRequests, requestState } = answer.result;
    const inputResponses = isMembers(inputRequests)
      ? Object.fromEntries(
          Object.entries(inputRequests).map(([key, one]) => {
            const { method: asked, params: given } = isMembers(one) ? one : {};
            return [key, answerInput(String(asked), isMembers(given) ? given : {})];
          }),
        )
      : undefined;
    const more = {
      ...(inputResponses && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    };
    answer = await visit.conversation.request(
      method,
      { ...params, ...more },
      { meta: { progressToken: `doctor-round-${round}-${String(meta["progressToken"])}` } },
    );
  }
  return answer;
}

async function cancelCall(visit: Visit, method: string, params: Members): Promise<void> {
  const { conversation, revision } = visit;
  const id = `doctor-cancelled-${conversation.position}`;
  const answer = conversation.request(method, params, { id, timeout: 300, isCancelled: true });
  await conversation.notify(methodOf(revision, "cancelled"), {
    requestId: id,
    reason: "the doctor has seen enough",
  });
  await answer;
  visit.expect("cancel-tolerated", conversation.ending === undefined, {
    received: "the end of the server",
  });
}

function checkResult(visit: Visit, { result, line }: Result): void {
  const { structuredContent, content, isError } = result;
  if (structuredContent === undefined || isError === true || !Array.isArray(content)) return;
  const hasText = content.some((one) => isMembers(one) && one["type"] === "text");
  visit.expect("structured-text", hasText, { line, pointer: "/result/content", received: content });
}

async function readResources(visit: Visit): Promise<void> {
  const family = familyOf(visit.revision, "resources");
  if (family?.use === undefined) return;
  const listed = visit.lists.get(family) ?? [];
  for (const { item } of listed.slice(0, MOST)) {
    if (visit.conversation.ending) return;
    const uri = isMembers(item) ? item["uri"] : undefined;
    if (typeof uri !== "string") continue;
    const answer = await visit.conversation.request(family.use, { uri });
    if (answer.kind === "error" || answer.kind === "silence") {
      visit.expect("resource-unreadable", false, {
        line: lineOf(answer),
        pointer: "/error",
        expected: `the contents of ${uri}, which is in the list`,
        received: showAnswer(answer),
      });
    }
    if (answer.kind === "result") checkContents(visit, answer, uri);
  }
}

function checkContents(visit: Visit, { result, line }: Result, uri: string): void {
  const { contents } = result;
  if (!Array.isArray(contents)) return;
  contents.forEach((one, index) => {
    const own = isMembers(one) ? one["uri"] : undefined;
    if (typeof own !== "string") return;
    visit.expect("resource-contents", own.startsWith(uri) || uri.endsWith("/"), {
      line,
      pointer: `/result/contents/${index}/uri`,
      expected: uri,
      received: own,
    });
  });
}

async function getPrompts(visit: Visit): Promise<void> {
  const family = familyOf(visit.revision, "prompts");
  if (family?.use === undefined) return;
  const prompts = itemsOf(visit, family).filter(
    ({ arguments: list }) =>
      !Array.isArray(list) || list.every((one) => !isMembers(one) || one["required"] !== true),
  );
  for (const { name } of prompts.slice(0, MOST)) {
    if (visit.conversation.ending) return;
    const answer = await visit.conversation.request(family.use, { name });
    if (answer.kind === "error" || answer.kind === "silence") {
      visit.expect("prompt-unavailable", false, {
        line: lineOf(answer),
        pointer: "/error",
        expected: `the prompt ${show(name)}, which is in the list and needs no arguments`,
        received: showAnswer(answer),
      });
    }
  }
}

/** Completes the first argument of the first prompt, and one of a prompt that does not exist. */
async function complete(visit: Visit): Promise<void> {
  const { revision, conversation, capabilities } = visit;
  const row = revision.methods.get("completion/complete");
  if (row?.capability === undefined || !declares(capabilities, row.capability)) return;
  const prompts = familyOf(revision, "prompts");
  const known =
    prompts &&
    itemsOf(visit, prompts).find(
      ({ arguments: list }) => Array.isArray(list) && isMembers(list[0]),
    );
  if (known !== undefined && prompts !== undefined) {
    const [first] = known["arguments"] as readonly Members[];
    const params = {
      ref: { type: prompts.reference, name: known["name"] },
      argument: { name: first!["name"], value: "" },
    };
    const answer = await conversation.request(row.method, params);
    const values =
      answer.kind === "result" && isMembers(answer.result["completion"])
        ? answer.result["completion"]["values"]
        : undefined;
    const holds =
      answer.kind === "result"
        ? !Array.isArray(values) || values.length <= 100
        : codeOf(answer) === -32602;
    const isExamined = isSettled(visit, answer, row.method);
    visit.expect("completion-unserved", holds || !isExamined, {
      line: lineOf(answer),
      pointer: answer.kind === "result" ? "/result/completion/values" : "/error",
      received: Array.isArray(values) ? `${values.length} values` : showAnswer(answer),
    });
  }
  const params = {
    ref: { type: prompts?.reference, name: NOTHING },
    argument: { name: "a", value: "" },
  };
  const answer = await conversation.request(row.method, params);
  if (!isSettled(visit, answer, row.method)) return;
  visit.expect("completion-unknown", codeOf(answer) === -32602, {
    line: lineOf(answer),
    received: showAnswer(answer),
  });
}
