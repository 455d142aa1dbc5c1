import {
  Client,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ClientContext,
  type ElicitRequestFormParams,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  type Root,
  Server,
  type ServerContext,
} from "@mcp-codegen/2025-11-25";
import { expect, it } from "vitest";
import {
  Completions,
  Elicitation,
  Logging,
  Resources,
  Roots,
  Sampling,
  elicitForm,
} from "../../runtime/features/index.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";

it("fields of a form have types of their own, a subset of JSON Schema (ELIC-17)", () => {
  const form: ElicitRequestFormParams["requestedSchema"] = {
    type: "object",
    properties: {
      // @ts-expect-error -- fields have no pattern
      code: { type: "string", pattern: "^a" },
      // @ts-expect-error -- fields refer to nothing
      other: { $ref: "#/properties/code" },
      // @ts-expect-error -- only choices have alternatives
      either: { oneOf: [{ type: "string" }, { type: "number" }] },
    },
  };
  expect(Object.keys(form.properties)).toHaveLength(3);
});

it("features accept the types and contexts of a generated package", async () => {
  const completions = new Completions<ServerContext>();
  const logging = new Logging();
  const resources = new Resources<Resource, ResourceTemplate, ReadResourceResult, ServerContext>({
    completions,
    subscriptions: { onsubscribe: (_uri, context) => void context.session.revision },
  });
  resources.add({ uri: "test://a", name: "a", title: "A", size: 1 }, async (uri, context) => {
    logging.for(context)("info", "reading");
    const { roots } = await context.request("roots/list");
    const { content } = await elicitForm(context, {
      message: "Which?",
      requestedSchema: { type: "object", properties: { which: { type: "string" } } },
    });
    return { contents: [{ uri, text: `${roots.length} ${content?.["which"]?.toString()}` }] };
  });
  // @ts-expect-error a resource has a URI
  expect(() => resources.add({ name: "b" }, () => undefined)).toThrow();
  // @ts-expect-error contents are not just text
  resources.add({ uri: "test://b", name: "b" }, () => ({ contents: ["text"] }));
  resources.addTemplate(
    { uriTemplate: "test://{id}", name: "family" },
    (uri, { values }) => ({ contents: [{ uri, text: String(values["id"]) }] }),
    { complete: { id: (value, { context }) => [value, context.method] } },
  );

  const roots = new Roots<Root>([{ uri: "file:///a", name: "a", _meta: {} }]);
  const elicitation = new Elicitation<ClientContext>({
    form: (_request, context) => ({ action: "accept", content: { which: context.method } }),
  });
  const sampling = new Sampling<CreateMessageRequestParams, CreateMessageResult, ClientContext>(
    ({ messages }) => ({ role: "assistant", content: messages[0]!.content, model: "m" }),
  );

  const info = { name: "test", version: "1" };
  const server = new Server(info, {}, { features: [resources, completions, logging] });
  const client = new Client(info, {}, { features: [roots, elicitation, sampling] });
  const [one, other] = memoryPair();
  await server.connect(other);
  await client.connect(one);
  const { contents } = await client.readResource({ uri: "test://a" });
  expect(contents).toEqual([{ uri: "test://a", text: "1 elicitation/create" }]);
  await client.close();
});
