import type { ReadResourceResult, Resource, ResourceTemplate } from "@mcp-codegen/2025-11-25";
import { PNG } from "./media.js";

/** A resource that a scenario of the suite reads by its URI. */
export interface ResourceFixture {
  readonly resource: Resource;
  readonly read: () => ReadResourceResult;
}

export const resourceFixtures: readonly ResourceFixture[] = [
  textResource("static-text", "A note that never changes."),
  {
    resource: { uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
    read: () => ({
      contents: [{ uri: "test://static-binary", mimeType: "image/png", blob: PNG }],
    }),
  },
  textResource("watched-resource", "A note to subscribe to."),
];

export const template: ResourceTemplate = {
  uriTemplate: "test://template/{id}/data",
  name: "data",
  description: "The data of an id.",
  mimeType: "application/json",
};

export function readTemplate(uri: string, id: string): ReadResourceResult {
  const data = JSON.stringify({ id, data: `What belongs to ${id}` });
  return { contents: [{ uri, mimeType: "application/json", text: data }] };
}

function textResource(name: string, text: string): ResourceFixture {
  const uri = `test://${name}`;
  const mimeType = "text/plain";
  return {
    resource: { uri, name, mimeType },
    read: () => ({ contents: [{ uri, mimeType, text }] }),
  };
}
