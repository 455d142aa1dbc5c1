import { MARK } from "./states.js";
import { isMembers, type Members, member } from "../../tape/json-value.js";

/** The capabilities that the doctor declares so that servers send the requests that require them. */
export const CAPABILITIES: Members = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
};

/** The capabilities of {@link CAPABILITIES}, without options. */
export const FEWER_CAPABILITIES: Members = { roots: {}, sampling: {}, elicitation: {} };

/** The capabilities of a client that opens pages for its user but has no forms. */
export const VISITS_ONLY: Members = { ...FEWER_CAPABILITIES, elicitation: { url: {} } };

/**
 * Controls how the doctor answers requests: `wrong` fills in forms with values of the wrong type, and `fail` answers
 * all requests except pings with an error.
 */
export type Manner = "accept" | "wrong" | "decline" | "cancel" | "fail";

/** Returns the doctor's result for a server's request; undefined for unknown methods. */
export function answerInput(method: string, params: unknown, manner: Manner): Members | undefined {
  switch (method) {
    case "ping":
      return {};
    case "roots/list":
      return { roots: [] };
    case "sampling/createMessage":
      return { role: "assistant", model: "none", ...sampled(params) };
    case "elicitation/create": {
      if (manner !== "accept" && manner !== "wrong") return { action: manner };
      const schema = member(params, "requestedSchema");
      const values = manner === "wrong" ? wrongOf : valuesOf;
      return { action: "accept", ...(isMembers(schema) && { content: values(schema) }) };
    }
    default:
      return undefined;
  }
}

export function answersTo(inputRequests: Members, manner: Manner): Members {
  const answers = Object.entries(inputRequests).map(([key, one]) => [
    key,
    answerInput(String(member(one, "method")), member(one, "params"), manner),
  ]);
  return Object.fromEntries(answers) as Members;
}

export function outcomeOf(method: string, params: unknown, manner: Manner): Members {
  if (manner === "fail" && method !== "ping")
    return { error: { code: -1, message: "The user has rejected the request" } };
  const result = answerInput(method, params, manner);
  return result ? { result } : { error: { code: -32601, message: "Method not found" } };
}

/** Returns a single word, or a call of the first tool that the request offers. */
function sampled(params: unknown): Members {
  const { tools, messages, toolChoice } = isMembers(params) ? params : {};
  const [tool] = Array.isArray(tools) ? (tools as readonly unknown[]) : [];
  const name = member(tool, "name");
  const isUsed = JSON.stringify(messages ?? "").includes('"tool_result"');
  if (typeof name !== "string" || isUsed || member(toolChoice, "mode") === "none")
    return { content: { type: "text", text: "Yes" }, stopReason: "endTurn" };
  const input = valuesOf(member(tool, "inputSchema"));
  return { content: { type: "tool_use", id: "doctor-use", name, input }, stopReason: "toolUse" };
}

function valuesOf(schema: unknown): Members {
  const properties = member(schema, "properties");
  const fields = Object.entries(isMembers(properties) ? properties : {});
  return Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]));
}

/** A number that is sent in place of a string. No server returns it of its own accord. */
const WRONG_NUMBER = 987_654_321;

function wrongOf(schema: unknown): Members {
  const properties = member(schema, "properties");
  return Object.fromEntries(
    Object.entries(isMembers(properties) ? properties : {}).map(([name, field]) => {
      const isText = member(field, "type") === "string" && optionsOf(field).length === 0;
      return [name, isText ? WRONG_NUMBER : MARK];
    }),
  );
}

/** True if a result contains one of the invalid form values. */
export function showsWrong(result: unknown): boolean {
  const text = JSON.stringify(result);
  return text.includes(MARK) || text.includes(String(WRONG_NUMBER));
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "someone@example.com",
  uri: "https://example.com/",
  date: "1999-12-31",
  "date-time": "1999-12-31T23:59:59Z",
};

function valueOf(schema: unknown): unknown {
  if (!isMembers(schema)) return "example";
  const { type, minimum, maximum, format, minLength = 0, maxLength, items, minItems } = schema;
  const options = optionsOf(schema);
  if (schema["default"] !== undefined) return schema["default"];
  if (options.length > 0) return options[0];
  switch (type) {
    case "boolean":
      return true;
    case "number":
    case "integer":
      return minimum ?? (typeof maximum === "number" ? Math.min(maximum, 1) : 1);
    case "array":
      return optionsOf(items).slice(0, Math.max(1, Number(minItems ?? 1)));
    case "object":
      return valuesOf(schema);
    default: {
      const text = FORMATS[String(format)] ?? "example".padEnd(Number(minLength), "e");
      return typeof maxLength === "number" ? text.slice(0, maxLength) : text;
    }
  }
}

function optionsOf(schema: unknown): readonly unknown[] {
  if (!isMembers(schema)) return [];
  const { enum: values, oneOf, anyOf } = schema;
  if (Array.isArray(values)) return values as readonly unknown[];
  const titled = [oneOf, anyOf].find(Array.isArray) as readonly unknown[] | undefined;
  return (titled ?? []).map((one) => member(one, "const"));
}
