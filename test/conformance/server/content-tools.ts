import type { McpServer } from "@mcp-codegen/universal";
import type { ContentBlock } from "@mcp-codegen/universal/types";
import { PNG, WAV } from "./media.js";

const image: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" };
const audio: ContentBlock = { type: "audio", data: WAV, mimeType: "audio/wav" };

/** Adds tools that answer with each kind of content. The suite calls the first tool in the list without arguments. */
export function addContentTools(server: McpServer): void {
  const tools: readonly [name: string, description: string, () => string | ContentBlock[]][] = [
    ["test_simple_text", "Answers with a sentence.", () => "Just a sentence."],
    ["test_image_content", "Answers with an image.", () => [image]],
    ["test_audio_content", "Answers with a sound.", () => [audio]],
    [
      "test_embedded_resource",
      "Answers with a resource in full.",
      () => [embedded("test://embedded-resource", "text/plain", "What the resource says.")],
    ],
    ["test_multiple_content_types", "Answers with several kinds at once.", several],
  ];
  for (const [name, description, call] of tools) server.registerTool(name, { description }, call);
}

function several(): ContentBlock[] {
  return [
    { type: "text", text: "A text, an image and a resource:" },
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ];
}

function embedded(uri: string, mimeType: string, content: string): ContentBlock {
  return { type: "resource", resource: { uri, mimeType, text: content } };
}
