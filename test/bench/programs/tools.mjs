// The tools of every server in the benchmark, so that all of them do the same work.

/** The arguments as a JSON Schema of typical size. */
export const inputSchema = {
  type: "object",
  properties: {
    text: { type: "string", description: "What to say" },
    times: { type: "integer", minimum: 1, maximum: 10, description: "How often" },
    tone: { type: "string", enum: ["calm", "cheerful", "stern"], description: "In which tone" },
  },
  required: ["text"],
};

/** The same arguments for zod: `shape(z)`. */
export const shape = (z) => ({
  text: z.string().describe("What to say"),
  times: z.number().int().min(1).max(10).describe("How often").optional(),
  tone: z.enum(["calm", "cheerful", "stern"]).describe("In which tone").optional(),
});

export const echo = ({ text }) => ({ content: [{ type: "text", text }] });

/** The tool `echo`, and further tools that do the same, so that there are TOOLS in total (default: 2). */
export const tools = Array.from({ length: Number(process.env.TOOLS ?? 2) }, (_, index) => ({
  name: index === 0 ? "echo" : `tool-${index}`,
  description: "Repeats the text",
  handler: echo,
}));
