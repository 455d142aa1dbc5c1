import type { GetPromptResult, Prompt, PromptMessage } from "@mcp-codegen/2025-11-25";
import { PNG } from "./media.js";

/** A prompt that a scenario of the suite asks for by its name. */
export interface PromptFixture {
  readonly prompt: Prompt;
  readonly get: (input: Readonly<Record<string, string>>) => GetPromptResult;
}

export const promptFixtures: readonly PromptFixture[] = [
  {
    prompt: { name: "test_simple_prompt", description: "Needs nothing to be filled in." },
    get: () => ({ messages: [says("Greet the reader.")] }),
  },
  {
    prompt: {
      name: "test_prompt_with_arguments",
      description: "Repeats its two arguments.",
      arguments: [
        { name: "arg1", description: "The first", required: true },
        { name: "arg2", description: "The second", required: true },
      ],
    },
    get: ({ arg1, arg2 }) => ({ messages: [says(`Compare '${arg1}' with '${arg2}'.`)] }),
  },
  {
    prompt: {
      name: "test_prompt_with_embedded_resource",
      description: "Comes with a resource.",
      arguments: [{ name: "resourceUri", description: "Its URI", required: true }],
    },
    get: ({ resourceUri: uri = "" }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri, mimeType: "text/plain", text: "What the resource says." },
          },
        },
        says("Work with this resource."),
      ],
    }),
  },
  {
    prompt: { name: "test_prompt_with_image", description: "Comes with an image." },
    get: () => ({
      messages: [
        { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
        says("Describe this image."),
      ],
    }),
  },
];

function says(text: string): PromptMessage {
  return { role: "user", content: { type: "text", text } };
}
