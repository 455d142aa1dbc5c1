/** Returns a form with one string field. */
export function form(message: string): object {
  return {
    message,
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  };
}

export const SAMPLE = {
  messages: [{ role: "user", content: { type: "text", text: "Capital of France?" } }],
  maxTokens: 10,
};
