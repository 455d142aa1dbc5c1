import type { MethodFamily } from "@mcp-codegen/runtime";
import { type Answer, isMembers, type Members, NOTHING } from "../conversation.js";
import {
  codeOf,
  declares,
  isSettled,
  itemsOf,
  lineOf,
  placeOf,
  show,
  showAnswer,
  type Visit,
} from "../visit.js";
import { familyOf, type UsedFamily } from "./methods.js";

/** Maximum number of items of a list that are read. */
const MOST = 10;

/** Reads resources and prompts, and completes arguments. */
export async function readItems(visit: Visit): Promise<void> {
  const { revision } = visit;
  const resources = familyOf(revision, "resource");
  const prompts = familyOf(revision, "prompt");
  if (resources !== undefined) await readResources(visit, resources);
  if (prompts !== undefined) {
    await getPrompts(visit, prompts);
    await complete(visit, prompts);
  }
}

async function readResources(visit: Visit, family: UsedFamily): Promise<void> {
  const { key, use, by } = family;
  for (const item of itemsOf(visit, family).slice(0, MOST)) {
    if (visit.conversation.ending) return;
    const uri = item[key];
    // A URI that is invalid is a finding of its own.
    if (typeof uri !== "string" || !URL.canParse(uri)) continue;
    const answer = await visit.conversation.request(use, { [by]: uri });
    if (!isSettled(visit, answer, `${use} of ${uri}`)) continue;
    if (answer.kind === "result") checkContents(visit, answer, uri);
    else {
      visit.expect("resource-unreadable", false, {
        ...placeOf(answer),
        expected: `the contents of ${uri}, which is in the list`,
      });
    }
  }
}

function checkContents(
  visit: Visit,
  { result, line }: Answer & { readonly kind: "result" },
  uri: string,
): void {
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

/** Names of the arguments of a prompt; only the required ones with `required`. */
function argumentsOf({ arguments: list }: Members, required = false): readonly string[] {
  return (Array.isArray(list) ? list : [])
    .filter(isMembers)
    .filter((one) => !required || one["required"] === true)
    .flatMap(({ name }) => (typeof name === "string" ? name : []));
}

function hasValidArguments({ arguments: list = [] }: Members): boolean {
  return (
    Array.isArray(list) && list.every((one) => isMembers(one) && typeof one["name"] === "string")
  );
}

/** Requests prompts: those with required arguments with an example value for each, and one of them without. */
async function getPrompts(visit: Visit, family: UsedFamily): Promise<void> {
  const { key, use, by } = family;
  let isRefused = false;
  for (const item of itemsOf(visit, family).slice(0, MOST)) {
    if (visit.conversation.ending) return;
    if (!hasValidArguments(item)) continue;
    const required = argumentsOf(item, true);
    const given = Object.fromEntries(required.map((name) => [name, "example"]));
    const more = required.length > 0 && { arguments: given };
    const answer = await visit.conversation.request(use, { [by]: item[key], ...more });
    // An example need not be a value that the prompt accepts.
    const isAccepted = isSettled(visit, answer, use) && answer.kind !== "result";
    if (isAccepted && required.length === 0) {
      visit.expect("prompt-unavailable", false, {
        ...placeOf(answer),
        expected: `the prompt ${show(item[key])}, which is in the list and needs no arguments`,
      });
    }
    const [first] = required;
    if (first === undefined || isRefused) continue;
    isRefused = true;
    const refusal = await visit.conversation.request(use, { [by]: item[key] });
    if (!isSettled(visit, refusal, use)) continue;
    visit.expect("prompt-arguments", codeOf(refusal) === -32602, {
      ...placeOf(refusal),
      expected: `the error -32602, as there is no ${first}`,
    });
  }
}

/** Completes the first argument of the first item with arguments, and one of an item that does not exist. */
async function complete(visit: Visit, prompts: MethodFamily): Promise<void> {
  const { revision, conversation, capabilities } = visit;
  const row = revision.methods.get("completion/complete");
  if (row?.capability === undefined) return;
  const isDeclared = declares(capabilities, row.capability);
  const templates = familyOf(revision, "template");
  const references = [prompts, ...(templates ? [templates] : [])].flatMap((family) =>
    itemsOf(visit, family)
      .slice(0, MOST)
      .flatMap((item) => referenceOf(family, item) ?? []),
  );
  const seen = new Set<unknown>();
  for (const params of references) {
    // One of each kind is enough.
    if (seen.has(params.ref.type) || conversation.ending) continue;
    seen.add(params.ref.type);
    const answer = await conversation.request(row.method, params);
    // What is served without being declared is a finding about the capabilities.
    if (!isDeclared) return;
    if (!isSettled(visit, answer, row.method) || answer.kind === "result") continue;
    visit.expect("completion-unserved", codeOf(answer) === -32602, {
      line: lineOf(answer),
      pointer: "/error",
      received: showAnswer(answer),
    });
  }
  if (!isDeclared || conversation.ending) return;
  const params = {
    ref: { type: prompts.reference, [prompts.key]: NOTHING },
    argument: { name: "a", value: "" },
  };
  const answer = await conversation.request(row.method, params);
  if (!isSettled(visit, answer, row.method)) return;
  visit.expect("completion-unknown", codeOf(answer) === -32602, placeOf(answer));
}

/** Parameters that complete the first argument of a prompt, or the first variable of a template. */
function referenceOf({ key, by, reference, templatesOf }: MethodFamily, item: Members) {
  const value = item[key];
  if (typeof value !== "string" || by === undefined) return undefined;
  const name =
    templatesOf === undefined ? argumentsOf(item)[0] : /\{[+#./;?&]?(\w+)/.exec(value)?.[1];
  if (name === undefined) return undefined;
  return { ref: { type: reference, [by]: value }, argument: { name, value: "" } };
}
