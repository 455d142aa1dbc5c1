/** A form that asks for a text. */
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
