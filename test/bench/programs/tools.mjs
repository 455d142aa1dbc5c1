// What every server of the benchmark offers, so that all do the same work.

/** Arguments as JSON Schema: of the size that tools have in the wild. */
export const inputSchema = {
  type: "object",
  properties: {
    text: { type: "string", description: "What to say" },
    times: { type: "integer", minimum: 1, maximum: 10, description: "How often" },
    tone: { type: "string", enum: ["calm", "cheerful", "stern"], description: "In which tone" },
  },
  required: ["text"],
};

/** The same for zod: `shape(z)`. */
export const shape = (z) => ({
  text: z.string().describe("What to say"),
  times: z.number().int().min(1).max(10).describe("How often").optional(),
  tone: z.enum(["calm", "cheerful", "stern"]).describe("In which tone").optional(),
});

const long = "0123456789".repeat(1024);

/** `echo` gives its text back; `long` gives 10 KiB, whatever it is asked. */
export const echo = ({ text }) => ({ content: [{ type: "text", text }] });
export const answerAtLength = () => ({ content: [{ type: "text", text: long }] });

/** Further tools, so that there are TOOLS in all (default: 2). They do what `echo` does. */
export const furtherNames = Array.from(
  { length: Math.max(0, Number(process.env.TOOLS ?? 2) - 2) },
  (_, index) => `tool-${index}`,
);

export const tools = [
  { name: "echo", description: "Says what it is told", handler: echo },
  { name: "long", description: "Says a lot", handler: answerAtLength },
  ...furtherNames.map((name) => ({ name, description: `Does what ${name} does`, handler: echo })),
];
