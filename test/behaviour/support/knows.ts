import type { Package } from "./packages.js";

const tool = { name: "a", inputSchema: { type: "object" } };
const text = { type: "text", text: "a" };

/** The features of a revision, derived from its tables and validators. */
export interface Knowledge {
  readonly elicitation: boolean;
  readonly urlElicitation: boolean;
  readonly structuredOutput: boolean;
  readonly samplingTools: boolean;
  readonly completionCapability: boolean;
  readonly completionContext: boolean;
  readonly progressMessages: boolean;
  readonly batches: boolean;
  readonly noBatches: boolean;
  readonly tasks: boolean;
  readonly audio: boolean;
  readonly resourceLinks: boolean;
}

export function knowledgeOf({ revision, validators }: Package): Knowledge {
  const { methods, traits, errorCodes } = revision;
  const refuses = (validator: string, value: object): boolean => {
    const accepts = (validators as unknown as Record<string, (value: unknown) => boolean>)[
      validator
    ];
    return accepts !== undefined && !accepts(value);
  };
  const accepts = (content: object): boolean =>
    !refuses("CallToolResult", { content: [text, content] });
  const conditions = methods.get("sampling/createMessage")?.conditions ?? [];
  const completion = { ref: { type: "ref/prompt", name: "a" }, argument: { name: "a", value: "" } };
  return {
    elicitation: methods.has("elicitation/create"),
    urlElicitation: errorCodes["URL_ELICITATION_REQUIRED"] !== undefined,
    structuredOutput: refuses("Tool", { ...tool, outputSchema: 5 }),
    samplingTools: conditions.some(({ member }) => member === "tools"),
    completionCapability: methods.get("completion/complete")?.capability !== undefined,
    completionContext: [completion, { ...completion, context: 5 }].some((params) =>
      refuses("CompleteRequestParams", params),
    ),
    progressMessages: traits.progressMessage,
    batches: traits.batching,
    noBatches: !traits.batching,
    tasks: traits.tasks,
    audio: accepts({ type: "audio", data: "aGk=", mimeType: "audio/wav" }),
    resourceLinks: accepts({ type: "resource_link", uri: "note://1", name: "a" }),
  };
}
