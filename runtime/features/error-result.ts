/** Builds the result that tells a model that a tool has failed. */
export function errorResult(text: string): object {
  return { content: [{ type: "text", text }], isError: true };
}
