import {
  type ClientCapabilities,
  type CreateMessageRequest,
  type ElicitRequestFormParams,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
} from "../shared/index.js";

/**
 * Returns a handler's result as the SDK sends it: with a form's defaults, if the client applies them.
 *
 * @throws ProtocolError -32602 if a sampling result has a list of content blocks although the request has no tools
 */
export function finalResult(
  method: string,
  params: unknown,
  result: unknown,
  { elicitation }: ClientCapabilities,
): unknown {
  if (method === "sampling/createMessage") assertMessage(params, result);
  const form = elicitation?.form as { applyDefaults?: boolean } | undefined;
  if (method !== "elicitation/create" || form?.applyDefaults !== true) return result;
  return withDefaults(params as ElicitRequestFormParams, result as ElicitResult);
}

function assertMessage(params: unknown, result: unknown): void {
  const { tools, toolChoice } = params as CreateMessageRequest["params"];
  const { content } = (result ?? {}) as { content?: unknown };
  if (tools !== undefined || toolChoice !== undefined || !Array.isArray(content)) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "Invalid sampling result: without tools, its content is one block, not a list",
  );
}

type Content = NonNullable<ElicitResult["content"]>;

function withDefaults(
  { requestedSchema }: Partial<ElicitRequestFormParams>,
  result: ElicitResult,
): ElicitResult {
  if (result?.action !== "accept" || requestedSchema === undefined) return result;
  const defaults = Object.entries(requestedSchema.properties).filter(
    ([, property]) => "default" in property,
  );
  const content = Object.fromEntries(
    defaults.map(([name, property]) => [name, (property as { default: unknown }).default]),
  );
  return { ...result, content: { ...content, ...result.content } as Content };
}
