import type { CallToolResult, ServerContext } from "@mcp-codegen/2025-11-25";
import { elicitForm, type FormSchema } from "@mcp-codegen/runtime/features";
import { text, type ToolFixture, withoutInput } from "./tool-fixture.js";

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

/** Tools that ask the client's model or user before they answer. */
export const askingTools: readonly ToolFixture[] = [
  {
    tool: {
      name: "test_sampling",
      description: "Passes a prompt on to the client's model.",
      inputSchema: oneText("prompt"),
    },
    call: async ({ prompt }, { request }) => {
      const { content } = await request("sampling/createMessage", {
        messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
        maxTokens: 100,
      });
      return text(`The model says ${JSON.stringify(content)}`);
    },
  },
  {
    tool: {
      name: "test_elicitation",
      description: "Asks the user for a way to contact them.",
      inputSchema: oneText("message"),
    },
    call: ({ message }, context) => ask(context, String(message), contactForm),
  },
  asking("test_elicitation_sep1034_defaults", "Check these values.", formWithDefaults),
  asking("test_elicitation_sep1330_enums", "Choose from each of these lists.", formWithEnums),
];

function asking(name: string, message: string, form: FormSchema): ToolFixture {
  return withoutInput(name, "Shows the user a form.", (_, context) => ask(context, message, form));
}

async function ask(
  context: ServerContext,
  message: string,
  requestedSchema: FormSchema,
): Promise<CallToolResult> {
  const { action, content = {} } = await elicitForm(context, { message, requestedSchema });
  return text(`The user chose to ${action}: ${JSON.stringify(content)}`);
}

function oneText(name: string): ToolFixture["tool"]["inputSchema"] {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}
