import type { McpServer } from "@mcp-codegen/universal";
import type { ContentBlock } from "@mcp-codegen/universal/types";
import { PNG } from "./media.js";

const text = (description: string) => ({ type: "string", description }) as const;

/** Adds the prompts that the suite's scenarios request by name. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    "test_simple_prompt",
    { description: "Needs nothing to be filled in." },
    () => "Greet the reader.",
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "Repeats its two arguments.",
      argsSchema: {
        type: "object",
        properties: { arg1: text("The first"), arg2: text("The second") },
        required: ["arg1", "arg2"],
      },
      complete: { arg1: suggest, arg2: suggest },
    },
    ({ arg1, arg2 }) => `Compare '${arg1}' with '${arg2}'.`,
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    {
      description: "Comes with a resource.",
      argsSchema: {
        type: "object",
        properties: { resourceUri: text("Its URI") },
        required: ["resourceUri"],
      },
    },
    ({ resourceUri: uri }) => [
      says({
        type: "resource",
        resource: { uri, mimeType: "text/plain", text: "What the resource says." },
      }),
      says("Work with this resource."),
    ],
  );
  server.registerPrompt("test_prompt_with_image", { description: "Comes with an image." }, () => [
    says({ type: "image", data: PNG, mimeType: "image/png" }),
    says("Describe this image."),
  ]);
}

function suggest(value: string): string[] {
  return ["test", "tested", "tests"].filter((one) => one.startsWith(value));
}

function says(content: string | ContentBlock) {
  return { role: "user", content } as const;
}
