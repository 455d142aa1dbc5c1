// Faults of the full server, each against one requirement that strangers drew, by name, in the terms of full-faults.mjs.
import { asked, KEY, text } from "./round-faults.mjs";

const result = (method, change) => ({ results: { [method]: change } });
const tool = (change) =>
  result("tools/list", (found) => ({
    ...found,
    tools: found.tools.map((one) => (one.name === "sum" ? { ...one, ...change(one) } : one)),
  }));
const meta = (key) =>
  result("prompts/list", (found) => ({ ...found, _meta: { ...found["_meta"], [key]: 1 } }));
const trace = (members) =>
  result("prompts/list", (found) => ({ ...found, _meta: { ...found["_meta"], ...members } }));
const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** A tool that takes an argument with a header. */
const annotated = (name) =>
  tool(({ inputSchema }) => ({
    inputSchema: {
      ...inputSchema,
      properties: { ...inputSchema.properties, [name]: { type: "string", "x-mcp-header": "Own" } },
    },
  }));
const form = (field) => ({
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string", ...field } } },
});
const asking = (mode, params) =>
  asked(async (_, { ask, client, isStateless }) => {
    if (isStateless || client.elicitation?.[mode] === undefined) return undefined;
    await ask("elicitation/create", { mode, ...params });
    return text("done");
  });
const visiting = (url) =>
  asking("url", { message: "Connect", elicitationId: "v", url: `https://example.com/${url}` });

export const walkFaults = {
  // Keys of _meta
  "meta-reserved": meta(`${KEY}cost`),
  "meta-reserved-before": meta("modelcontextprotocol.io/cost"),
  "meta-own": meta("com.example.mcp/cost"),
  "meta-forward": meta("api.example.com/cost"),
  "trace-longer": trace({ traceparent: `${PARENT}-00` }),
  "trace-state": trace({ traceparent: PARENT, tracestate: "Vendor=1" }),
  baggage: trace({ baggage: "user=some one" }),
  traced: trace({
    traceparent: PARENT,
    tracestate: "rojo=00f067aa0ba902b7",
    baggage: "user=a;p=1",
  }),
  // Schemas and forms
  "header-secret": annotated("apiKey"),
  "header-plain": annotated("tenant"),
  "visit-with-token": visiting("connect?access_token=abc"),
  "visit-with-state": visiting("connect?state=abc&id=7"),
  "form-with-link": asking("form", form({ description: "See https://example.com/terms" })),
  "form-without-link": asking("form", form({ description: "As in your passport" })),
  // Errors
  "resource-unnamed": {
    respond: (response, { method }) =>
      method === "resources/read" && response.error
        ? { ...response, error: { ...response.error, data: undefined } }
        : response,
  },
};
