import type { ContentBlock } from "@mcp-codegen/2025-11-25";
import { PNG, WAV } from "./media.js";
import { text, type ToolFixture, withoutInput } from "./tool-fixture.js";

const image: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" };
const audio: ContentBlock = { type: "audio", data: WAV, mimeType: "audio/wav" };

/** Tools that answer with each kind of content. */
export const contentTools: readonly ToolFixture[] = [
  withoutInput("test_simple_text", "Answers with a sentence.", () => text("Just a sentence.")),
  withoutInput("test_image_content", "Answers with an image.", () => ({ content: [image] })),
  withoutInput("test_audio_content", "Answers with a sound.", () => ({ content: [audio] })),
  withoutInput("test_embedded_resource", "Answers with a resource in full.", () => ({
    content: [embedded("test://embedded-resource", "text/plain", "What the resource says.")],
  })),
  withoutInput("test_multiple_content_types", "Answers with several kinds at once.", () => ({
    content: [
      { type: "text", text: "A text, an image and a resource:" },
      image,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  })),
];

function embedded(uri: string, mimeType: string, content: string): ContentBlock {
  return { type: "resource", resource: { uri, mimeType, text: content } };
}
