import type { MethodFamily } from "@mcp-codegen/runtime";
import { type Answer, NOTHING } from "../conversation.js";
import {
  codeOf,
  declares,
  expectRefusal,
  isSettled,
  itemsOf,
  lineOf,
  placeOf,
  show,
  showAnswer,
  type Visit,
  ask,
} from "../visit.js";
import { checkUnknownResource } from "./errors.js";
import { expectUnserved } from "./lists.js";
import { familiesOf, familyOf, type UsedFamily } from "./methods.js";
import { inRounds, isAsking, withNewToken } from "./rounds.js";
import { AT } from "../../checks/check.js";
import { isMembers, type Members, member } from "../../tape/json-value.js";

/** The maximum number of items to use from one list. */
const MOST = 10;

/** Reads resources, requests prompts, and completes arguments. */
export async function readItems(visit: Visit): Promise<void> {
  const { revision } = visit;
  const resource = familyOf(revision, "resource");
  const prompt = familyOf(revision, "prompt");
  if (resource !== undefined) {
    await eachItem(visit, resource, readResource);
    await readTemplates(visit, resource);
    await readOutside(visit, resource);
  }
  if (prompt !== undefined) {
    await eachItem(visit, prompt, getPrompt);
    await withoutArguments(visit, prompt);
    await complete(visit, prompt);
  }
}

type Use = (visit: Visit, family: UsedFamily, item: Members) => Promise<void>;

async function eachItem(visit: Visit, family: UsedFamily, use: Use): Promise<void> {
  for (const item of itemsOf(visit, family).slice(0, MOST)) {
    if (visit.conversation.ending) return;
    await use(visit, family, item);
  }
}

async function readResource(visit: Visit, { key, use, by }: UsedFamily, item: Members) {
  const uri = item[key];
  // Another check reports an invalid URI.
  if (typeof uri !== "string" || !URL.canParse(uri)) return;
  const answer = await used(visit, use, { [by]: uri }, `${use} of ${uri}`);
  if (answer === undefined || requiresCapability(visit, answer)) return;
  if (answer.kind === "result") return checkContents(visit, answer, uri);
  visit.expect("resource-unreadable", false, {
    ...placeOf(answer),
    expected: `the contents of ${uri}, which is in the list`,
  });
}

/** True if the answer is the error with which a server requires a capability that the doctor has not declared. */
function requiresCapability({ revision }: Visit, answer: Answer): boolean {
  const code = revision.errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"];
  return code !== undefined && codeOf(answer) === code;
}

/** The maximum number of templates from which to read a resource. */
const MOST_TEMPLATES = 3;

/** Reads resources from templates. Errors are not examined because the resources need not exist. */
async function readTemplates(visit: Visit, family: UsedFamily): Promise<void> {
  const { use, by, key } = family;
  const listed = itemsOf(visit, family).map((one) => String(one[key]));
  const templates = familiesOf(visit.revision).find((one) => one.templatesOf !== undefined);
  const items = templates === undefined ? [] : itemsOf(visit, templates).slice(0, MOST_TEMPLATES);
  for (const item of items) {
    const template = String(item[templates!.key]);
    const uri = expanded(template, "1");
    if (uri === undefined || visit.conversation.ending) continue;
    const answer = await used(visit, use, { [by]: uri }, `${use} of ${uri}`);
    if (answer?.kind === "result") checkContents(visit, answer, uri);
    const prefix = template.split("{", 1)[0]!;
    const isUsed = answer?.kind === "result" || listed.some((one) => one.startsWith(prefix));
    await readUnknown(visit, family, expanded(template, NOTHING)!, isUsed);
  }
}

/**
 * Reads a resource that fits a template. It may exist, because a template can serve any value, but then it has contents.
 *
 * @param isUsed - true if another resource of the template is known to exist, so that an error means that there is none
 */
async function readUnknown(
  visit: Visit,
  { use, by }: UsedFamily,
  uri: string,
  isUsed: boolean,
): Promise<void> {
  const answer = await ask(visit, use, { [by]: uri }, { about: `${use} of ${uri}` });
  if (answer === undefined || requiresCapability(visit, answer)) return;
  const isEmpty = answer.kind === "result" && isEmptyList(answer.result["contents"]);
  // The value may also be invalid.
  const isRefused = answer.kind === "error" && isUsed && codeOf(answer) !== -32602;
  if (isEmpty || isRefused) checkUnknownResource(visit, answer, uri);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Matches the password file of a POSIX system, which every program on that system may read. */
const PASSWORDS = /^root:[^:\n]*:0:0:/m;

/**
 * Reads a file outside the folder that a server may serve. A server that serves all files, even without `..`, is not at
 * fault.
 */
async function readOutside(visit: Visit, family: UsedFamily): Promise<void> {
  const { use, by, key } = family;
  const templates = familiesOf(visit.revision).find((one) => one.templatesOf !== undefined);
  const uris = [
    ...(templates ? itemsOf(visit, templates).map((item) => item[templates.key]) : []),
    ...itemsOf(visit, family).map((item) => item[key]),
  ].filter((uri): uri is string => typeof uri === "string" && /\{|^file:/.test(uri));
  const folders = new Set(uris.map((uri) => /^[^{]*\//.exec(uri)?.[0]));
  const passwordsAt = async (uri: string): Promise<Answer | undefined> => {
    const answer = visit.conversation.ending ? undefined : await ask(visit, use, { [by]: uri });
    return answer?.kind === "result" && showsPasswords(answer.result) ? answer : undefined;
  };
  for (const folder of [...folders].slice(0, MOST_TEMPLATES)) {
    if (folder === undefined) continue;
    for (const step of ["../", "..%2F"]) {
      const answer = await passwordsAt(`${folder}${step.repeat(12)}etc/passwd`);
      if (answer === undefined || (await passwordsAt("file:///etc/passwd"))) continue;
      visit.expect("resource-outside", false, { ...placeOf(answer), pointer: "/result/contents" });
      return;
    }
  }
}

function showsPasswords({ contents }: Members): boolean {
  return (Array.isArray(contents) ? contents : []).some((one) => {
    const [text, blob] = [member(one, "text"), member(one, "blob")];
    return PASSWORDS.test(String(text ?? Buffer.from(String(blob), "base64").toString()));
  });
}

/** Expands a URI template with one value for all variables, but without query and fragment expressions. */
function expanded(template: unknown, value: string): string | undefined {
  if (typeof template !== "string") return undefined;
  const uri = template
    .replace(/\{[?&#][^}]*\}/g, "")
    .replace(/\{([/.;]?)[^}]*\}/g, (_, operator) => `${operator}${value}`);
  return URL.canParse(uri) ? uri : undefined;
}

/** Uses an item, and provides any input that a stateless server requires. */
async function used(
  visit: Visit,
  method: string,
  params: Members,
  about = method,
): Promise<Answer | undefined> {
  const first = await ask(visit, method, params, { about });
  if (!isAsking(first)) return first;
  const answer = await inRounds(
    visit,
    { method, params, meta: withNewToken(visit), headers: {} },
    "accept",
  );
  return isSettled(visit, answer, about) ? answer : undefined;
}

function checkContents(
  visit: Visit,
  { result, line }: Answer & { readonly kind: "result" },
  uri: string,
): void {
  const { contents } = result;
  if (!Array.isArray(contents)) return;
  contents.forEach((one, index) => {
    const own = member(one, "uri");
    if (typeof own !== "string") return;
    visit.expect("resource-contents", own.startsWith(uri) || uri.endsWith("/"), {
      line,
      pointer: `/result/contents/${index}/uri`,
      expected: uri,
      received: own,
    });
  });
}

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

async function getPrompt(visit: Visit, { key, use, by }: UsedFamily, item: Members) {
  if (!hasValidArguments(item)) return;
  const required = argumentsOf(item, true);
  const given = Object.fromEntries(required.map((name) => [name, "example"]));
  const more = required.length > 0 && { arguments: given };
  const answer = await used(visit, use, { [by]: item[key], ...more });
  // The prompt may reject the example values.
  if (answer === undefined || answer.kind === "result" || required.length > 0) return;
  if (requiresCapability(visit, answer)) return;
  visit.expect("prompt-unavailable", false, {
    ...placeOf(answer),
    expected: `the prompt ${show(item[key])}, which is in the list and needs no arguments`,
  });
}

async function withoutArguments(visit: Visit, family: UsedFamily): Promise<void> {
  const { key, use, by } = family;
  const item = itemsOf(visit, family)
    .slice(0, MOST)
    .find((one) => hasValidArguments(one) && argumentsOf(one, true).length > 0);
  if (item === undefined) return;
  const expected = `the error -32602, as there is no ${argumentsOf(item, true)[0]}`;
  const params = { [by]: item[key] };
  const answer = await ask(visit, use, params);
  if (answer === undefined || requiresCapability(visit, answer)) return;
  // A stateless server may also request the argument from the user.
  const isRefused = codeOf(answer) === -32602 || isAsking(answer);
  visit.expect("prompt-arguments", isRefused, { ...placeOf(answer), expected });
}

async function complete(visit: Visit, family: MethodFamily): Promise<void> {
  const { revision, conversation, capabilities } = visit;
  const row = revision.methods.get("completion/complete");
  if (row === undefined) return;
  // Without the capability, a server may serve completions or reject the method.
  const isDeclared = row.capability !== undefined && declares(capabilities, row.capability);
  const templates = familyOf(revision, "template");
  const references = [family, ...(templates ? [templates] : [])].flatMap((one) =>
    itemsOf(visit, one)
      .flatMap((item) => completionsOf(one, item))
      .slice(0, MOST),
  );
  const seen = new Set<unknown>();
  for (const params of references) {
    if (conversation.ending) return;
    const answer = await conversation.request(row.method, params);
    // Another check reports a server that serves a feature without declaring it.
    if (!isDeclared) {
      if (row.capability !== undefined) expectUnserved(visit, answer, row.method);
      return;
    }
    // One item of each kind is enough.
    const isFirst = !seen.has(params.ref.type);
    seen.add(params.ref.type);
    if (isFirst && answer.kind === "result") await completeInContext(visit, row.method, params);
    if (!isSettled(visit, answer, row.method) || answer.kind === "result") continue;
    visit.expect("completion-unserved", codeOf(answer) === -32602, {
      line: lineOf(answer),
      pointer: "/error",
      received: showAnswer(answer),
    });
  }
  if (!isDeclared) return;
  const params = {
    ref: { type: family.reference, [family.key]: NOTHING },
    argument: { name: "a", value: "" },
  };
  await expectRefusal(visit, "completion-unknown", row.method, { params });
  const [known] = references;
  if (known === undefined) return;
  const expected = "the error -32602, as there is no argument";
  await expectRefusal(visit, "completion-argument", row.method, {
    params: { ref: known.ref },
    expected,
  });
}

async function completeInContext(visit: Visit, method: string, params: Completion): Promise<void> {
  if (!AT.outputSchemas(visit.revision)) return;
  const { argument } = params;
  const more = { argument: { ...argument, value: "a" }, context: { arguments: {} } };
  const answer = await ask(visit, method, { ...params, ...more });
  const expected = "a completion, as without the context";
  if (answer)
    visit.expect("completion-unserved", answer.kind !== "error", { ...placeOf(answer), expected });
}

type Completion = ReturnType<typeof completionsOf>[number];

/** Returns the parameters that complete each of a prompt's arguments, or a template's first variable. */
function completionsOf({ key, by, reference, templatesOf }: MethodFamily, item: Members) {
  const value = item[key];
  if (typeof value !== "string" || by === undefined) return [];
  const [, variable] = /\{[+#./;?&]?(\w+)/.exec(value) ?? [];
  const names = templatesOf === undefined ? argumentsOf(item) : variable ? [variable] : [];
  return names.map((name) => ({
    ref: { type: reference, [by]: value },
    argument: { name, value: "" },
  }));
}
