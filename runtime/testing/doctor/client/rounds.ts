import type { FamilyKind } from "@mcp-codegen/runtime";
import { NOTHING } from "../conversation.js";
import { declares } from "../visit.js";
import { FIELDS, formWith, LATER_FIELDS } from "./form.js";
import { isMembers, type Members } from "../../tape/json-value.js";

const STATE = "state of the doctor: ä/=";
const NEXT_STATE = "next state of the doctor: ö+";

/** An input request from a stateless server, with the key of its answer. */
export type Input = readonly [key: string, request: Members];

const FORM = formWith({ ...FIELDS, ...LATER_FIELDS });

const SAMPLE: Members = {
  messages: [{ role: "user", content: { type: "text", text: "Say yes" } }],
  maxTokens: 10,
};

/** The parameters of a URL-mode elicitation. A client must not open the page without the user's consent. */
export const VISIT: Members = {
  mode: "url",
  message: "The doctor examines this client. Please decline.",
  url: "https://doctor.example/",
};

const elicitation = (params: Members): Members => ({ method: "elicitation/create", params });
const sampling = (params: Members): Members => ({ method: "sampling/createMessage", params });

const form: Input = ["form", elicitation({ ...FORM, mode: "form" })];
const visit: Input = ["visit", elicitation(VISIT)];
const sample: Input = ["sample", sampling(SAMPLE)];
const roots: Input = ["roots", { method: "roots/list" }];
const tools = [{ name: NOTHING, inputSchema: { type: "object" } }];
const sampleWithTools: Input = ["tools", sampling({ ...SAMPLE, tools })];

/** True if the client has declared support for forms: either the mode `form`, or elicitation without any mode. */
export function takesForms(capabilities: Members): boolean {
  const has = (path: string): boolean => declares(capabilities, `client.elicitation${path}`);
  return has("") && (has(".form") || !has(".url"));
}

function declaredInputs(capabilities: Members): readonly Input[] {
  const has = (path: string): boolean => declares(capabilities, `client.${path}`);
  return [
    ...(takesForms(capabilities) ? [form] : []),
    ...(has("roots") ? [roots] : []),
    ...(has("sampling") ? [sample] : []),
    ...(has("elicitation.url") ? [visit] : []),
  ];
}

/** Returns a request for each kind of input that the client has not declared. */
export function undeclaredInputs(capabilities: Members): readonly Input[] {
  const lacks = (path: string): boolean => !declares(capabilities, `client.${path}`);
  return [
    ...(lacks("elicitation.url") ? [visit] : []),
    ...(lacks("sampling.tools") ? [sampleWithTools] : []),
    ...(lacks("sampling") ? [sample] : []),
    ...(takesForms(capabilities) ? [] : [form]),
    ...(lacks("roots") ? [roots] : []),
  ];
}

/**
 * Returns the result that requires input before an item is used; undefined if the client cannot provide input or has
 * already done so. The first tool has three rounds: two with different states, and one without a state. The second
 * tool requires input and then only a state, a resource only a state, and other items only input.
 */
export function inputFor(
  kind: FamilyKind,
  tool: "first" | "second" | undefined,
  { inputResponses, requestState }: Members,
  capabilities: Members,
): Members | undefined {
  const [first, ...others] = declaredInputs(capabilities);
  if (first === undefined) return undefined;
  const [name, request] = first;
  const isFirst = tool === "first";
  const keys = isMembers(inputResponses) ? Object.keys(inputResponses) : [];
  if (isFirst && requestState === STATE && keys.join() === name) {
    // A form is requested again without a mode, because `form` is the default.
    const again = first === form ? elicitation(FORM) : request;
    const inputs = { ...Object.fromEntries(others), again };
    return { ...REQUIRED, requestState: NEXT_STATE, inputRequests: inputs };
  }
  if (isFirst && requestState === NEXT_STATE && keys.includes("again"))
    return { ...REQUIRED, inputRequests: { last: request } };
  if (tool === "second" && requestState === undefined && keys.join() === name)
    return { ...REQUIRED, requestState: NEXT_STATE };
  if (inputResponses !== undefined || requestState !== undefined) return undefined;
  const hasState = kind === "resource" || isFirst;
  return {
    ...REQUIRED,
    ...(hasState && { requestState: STATE }),
    ...(kind !== "resource" && { inputRequests: { [name]: request } }),
  };
}

/** Returns a result that requires input, for a method whose results must not. */
export function misplacedInput(capabilities: Members): Members {
  const [first] = declaredInputs(capabilities);
  const inputs = first && { inputRequests: Object.fromEntries([first]) };
  return { ...REQUIRED, requestState: STATE, ...inputs };
}

const REQUIRED: Members = { resultType: "input_required" };
