import type { McpServer } from "@mcp-codegen/universal";
import type { FormSchema } from "@mcp-codegen/runtime/features";

const contactForm: FormSchema = {
  type: "object",
  properties: {
    username: { type: "string", description: "How to address you" },
    email: { type: "string", description: "Where to write to" },
  },
  required: ["username", "email"],
};

const formWithDefaults: FormSchema = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};

const OPTIONS = ["option1", "option2", "option3"];
const TITLED = [
  { const: "value1", title: "First value" },
  { const: "value2", title: "Second value" },
  { const: "value3", title: "Third value" },
];

const formWithEnums: FormSchema = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: TITLED },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["First", "Second", "Third"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: TITLED } },
  },
};

/** Adds the tools that, before they return, send requests to the client's model or user in the way of each revision. */
export function addAskingTools(server: McpServer): void {
  server.registerTool(
    "test_sampling",
    { description: "Passes a prompt on to the client's model.", inputSchema: oneText("prompt") },
    async ({ prompt }, ctx) => {
      const { content } = await ctx.sample({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return `The model says ${JSON.stringify(content)}`;
    },
  );
  server.registerTool(
    "test_elicitation",
    {
      description: "Asks the user for a way to contact them.",
      inputSchema: oneText("message"),
    },
    async ({ message }, ctx) => said(await ctx.elicit({ message, requestedSchema: contactForm })),
  );
  addForm(server, "test_elicitation_sep1034_defaults", "Check these values.", formWithDefaults);
  addForm(server, "test_elicitation_sep1330_enums", "Choose from each of these.", formWithEnums);
  addForm(server, "test_streaming_elicitation", "Who should get the answer?", contactForm);
  server.registerTool(
    "test_missing_capability",
    { description: "Cannot do without the client's model." },
    (ctx) => {
      ctx.require("sample");
      return "There is a model.";
    },
  );
}

function addForm(
  server: McpServer,
  name: string,
  message: string,
  requestedSchema: FormSchema,
): void {
  server.registerTool(name, { description: "Shows the user a form." }, async (ctx) =>
    said(await ctx.elicit({ message, requestedSchema })),
  );
}

function said({ action, content = {} }: { action: string; content?: object }): string {
  return `The user chose to ${action}: ${JSON.stringify(content)}`;
}

function oneText<const Name extends string>(
  name: Name,
): {
  readonly type: "object";
  readonly properties: { readonly [Key in Name]: { readonly type: "string" } };
  readonly required: readonly [Name];
} {
  const properties = { [name]: { type: "string" } } as { [Key in Name]: { type: "string" } };
  return { type: "object", properties, required: [name] };
}
