import { expect, test } from "vitest";
import { REVISIONS, type RevisionId, wiresOf } from "./support/cases.js";
import { hosts } from "./support/host.js";
import type { WireName } from "./support/link.js";
import { AGREEABLE, Speaker } from "./support/speaker.js";

const { of } = hosts();

/** Holds a conversation about a bit of everything and returns the messages as they were sent. */
async function conversation(revision: RevisionId, wire: WireName): Promise<string[]> {
  const host = await of(revision, wire);
  const speaker = await Speaker.over(host.link(wire), revision, { answers: AGREEABLE });
  await speaker.call(speaker.isAlone ? "server/discover" : "ping");
  await speaker.call("tools/call", {
    name: "work",
    arguments: {},
    _meta: { progressToken: "raw-p" },
  });
  await speaker.tool("sequence");
  await speaker.tool("array");
  await speaker.call("resources/read", { uri: "gone://one" });
  expect(speaker.violations).toEqual([]);
  return speaker.transcript;
}

/**
 * Returns a line of a transcript without its route. Members that all messages of a kind have appear only in the first
 * message.
 */
function said(line: string, index: number): string {
  const whole = line.replace(/^← \w+( \d+)?/, "←").replaceAll("raw-", "");
  if (index < 2) return whole;
  return whole
    .replace(/"io\.modelcontextprotocol\/protocolVersion":.*"roots":\{\}\}/, "…")
    .replace(/"io\.modelcontextprotocol\/serverInfo":\{.*?\}\]\}/, "…");
}

async function golden(revision: RevisionId): Promise<string> {
  const wires = wiresOf(revision);
  const [first, ...others] = await Promise.all(wires.map((wire) => conversation(revision, wire)));
  const lines = first!.map(said);
  for (const other of others) expect(other.map(said)).toEqual(lines);
  return `\n${lines.join("\n")}\n`;
}

test.each(REVISIONS)("nothing depends on earlier messages at %s (MATRIX-01)", async (revision) => {
  const [once, again] = [await golden(revision), await golden(revision)];
  expect(again).toBe(once);
});

test("the transcript of 2024-11-05 is valid (MATRIX-01)", async () => {
  expect(await golden("2024-11-05")).toMatchInlineSnapshot(`
    "
    → {"id":"1","method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{"sampling":{},"roots":{}},"clientInfo":{"name":"raw","version":"1"}}}
    ← {"id":"1","result":{"protocolVersion":"2024-11-05","capabilities":{"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"matrix","version":"1.0.0"},"instructions":"Use all of it"}}
    → {"method":"notifications/initialized"}
    → {"id":"2","method":"ping","params":{}}
    ← {"id":"2","result":{}}
    → {"id":"3","method":"tools/call","params":{"name":"work","arguments":{},"_meta":{"progressToken":"p"}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2}}
    ← {"method":"notifications/message","params":{"level":"error","logger":"work","data":{"big":true}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":2,"total":2}}
    ← {"id":"3","result":{"content":[{"type":"text","text":"done"}]}}
    → {"id":"4","method":"tools/call","params":{"name":"sequence","arguments":{}}}
    ← {"id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Capital?"}}],"maxTokens":10}}
    → {"id":1,"result":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"}}
    ← {"id":2,"method":"roots/list"}
    → {"id":2,"result":{"roots":[{"uri":"file:///work","name":"work"}]}}
    ← {"id":"4","result":{"content":[{"type":"text","text":"ordered Nobody Paris (m) file:///work"}]}}
    → {"id":"5","method":"tools/call","params":{"name":"array","arguments":{}}}
    ← {"id":"5","result":{"content":[{"type":"text","text":"[1,2]"}]}}
    → {"id":"6","method":"resources/read","params":{"uri":"gone://one"}}
    ← {"id":"6","error":{"code":-32002,"message":"Resource not found: \\"gone://one\\"","data":{"uri":"gone://one"}}}
    "
  `);
});

test("the transcript of 2025-03-26 is valid (MATRIX-01)", async () => {
  expect(await golden("2025-03-26")).toMatchInlineSnapshot(`
    "
    → {"id":"1","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{"sampling":{},"roots":{}},"clientInfo":{"name":"raw","version":"1"}}}
    ← {"id":"1","result":{"protocolVersion":"2025-03-26","capabilities":{"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"tools":{"listChanged":true},"logging":{},"completions":{}},"serverInfo":{"name":"matrix","version":"1.0.0"},"instructions":"Use all of it"}}
    → {"method":"notifications/initialized"}
    → {"id":"2","method":"ping","params":{}}
    ← {"id":"2","result":{}}
    → {"id":"3","method":"tools/call","params":{"name":"work","arguments":{},"_meta":{"progressToken":"p"}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"half"}}
    ← {"method":"notifications/message","params":{"level":"error","logger":"work","data":{"big":true}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":2,"total":2,"message":"whole"}}
    ← {"id":"3","result":{"content":[{"type":"text","text":"done"}]}}
    → {"id":"4","method":"tools/call","params":{"name":"sequence","arguments":{}}}
    ← {"id":1,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Capital?"}}],"maxTokens":10}}
    → {"id":1,"result":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"}}
    ← {"id":2,"method":"roots/list"}
    → {"id":2,"result":{"roots":[{"uri":"file:///work","name":"work"}]}}
    ← {"id":"4","result":{"content":[{"type":"text","text":"ordered Nobody Paris (m) file:///work"}]}}
    → {"id":"5","method":"tools/call","params":{"name":"array","arguments":{}}}
    ← {"id":"5","result":{"content":[{"type":"text","text":"[1,2]"}]}}
    → {"id":"6","method":"resources/read","params":{"uri":"gone://one"}}
    ← {"id":"6","error":{"code":-32002,"message":"Resource not found: \\"gone://one\\"","data":{"uri":"gone://one"}}}
    "
  `);
});

test("the transcript of 2025-06-18 is valid (MATRIX-01)", async () => {
  expect(await golden("2025-06-18")).toMatchInlineSnapshot(`
    "
    → {"id":"1","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{},"sampling":{},"roots":{}},"clientInfo":{"name":"raw","version":"1"}}}
    ← {"id":"1","result":{"protocolVersion":"2025-06-18","capabilities":{"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"tools":{"listChanged":true},"logging":{},"completions":{}},"serverInfo":{"name":"matrix","version":"1.0.0","title":"Matrix"},"instructions":"Use all of it"}}
    → {"method":"notifications/initialized"}
    → {"id":"2","method":"ping","params":{}}
    ← {"id":"2","result":{}}
    → {"id":"3","method":"tools/call","params":{"name":"work","arguments":{},"_meta":{"progressToken":"p"}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"half"}}
    ← {"method":"notifications/message","params":{"level":"error","logger":"work","data":{"big":true}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":2,"total":2,"message":"whole"}}
    ← {"id":"3","result":{"content":[{"type":"text","text":"done"}]}}
    → {"id":"4","method":"tools/call","params":{"name":"sequence","arguments":{}}}
    ← {"id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}
    → {"id":1,"result":{"action":"accept","content":{"name":"Ada"}}}
    ← {"id":2,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Capital?"}}],"maxTokens":10}}
    → {"id":2,"result":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"}}
    ← {"id":3,"method":"roots/list"}
    → {"id":3,"result":{"roots":[{"uri":"file:///work","name":"work"}]}}
    ← {"id":"4","result":{"content":[{"type":"text","text":"ordered Ada Paris (m) file:///work"}]}}
    → {"id":"5","method":"tools/call","params":{"name":"array","arguments":{}}}
    ← {"id":"5","result":{"content":[{"type":"text","text":"[1,2]"}],"structuredContent":{"result":[1,2]}}}
    → {"id":"6","method":"resources/read","params":{"uri":"gone://one"}}
    ← {"id":"6","error":{"code":-32002,"message":"Resource not found: \\"gone://one\\"","data":{"uri":"gone://one"}}}
    "
  `);
});

test("the transcript of 2025-11-25 is valid (MATRIX-01)", async () => {
  expect(await golden("2025-11-25")).toMatchInlineSnapshot(`
    "
    → {"id":"1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}},"clientInfo":{"name":"raw","version":"1"}}}
    ← {"id":"1","result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"tools":{"listChanged":true},"logging":{},"completions":{}},"serverInfo":{"name":"matrix","version":"1.0.0","title":"Matrix","description":"Has everything","websiteUrl":"https://example.com","icons":[{"src":"https://example.com/icon.png","sizes":["48x48"]}]},"instructions":"Use all of it"}}
    → {"method":"notifications/initialized"}
    → {"id":"2","method":"ping","params":{}}
    ← {"id":"2","result":{}}
    → {"id":"3","method":"tools/call","params":{"name":"work","arguments":{},"_meta":{"progressToken":"p"}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"half"}}
    ← {"method":"notifications/message","params":{"level":"error","logger":"work","data":{"big":true}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":2,"total":2,"message":"whole"}}
    ← {"id":"3","result":{"content":[{"type":"text","text":"done"}]}}
    → {"id":"4","method":"tools/call","params":{"name":"sequence","arguments":{}}}
    ← {"id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}
    → {"id":1,"result":{"action":"accept","content":{"name":"Ada"}}}
    ← {"id":2,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Capital?"}}],"maxTokens":10}}
    → {"id":2,"result":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"}}
    ← {"id":3,"method":"roots/list"}
    → {"id":3,"result":{"roots":[{"uri":"file:///work","name":"work"}]}}
    ← {"id":"4","result":{"content":[{"type":"text","text":"ordered Ada Paris (m) file:///work"}]}}
    → {"id":"5","method":"tools/call","params":{"name":"array","arguments":{}}}
    ← {"id":"5","result":{"content":[{"type":"text","text":"[1,2]"}],"structuredContent":{"result":[1,2]}}}
    → {"id":"6","method":"resources/read","params":{"uri":"gone://one"}}
    ← {"id":"6","error":{"code":-32002,"message":"Resource not found: \\"gone://one\\"","data":{"uri":"gone://one"}}}
    "
  `);
});

test("the transcript of 2026-07-28 is valid (MATRIX-01)", async () => {
  expect(await golden("2026-07-28")).toMatchInlineSnapshot(`
    "
    → {"id":"1","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{}}}}}
    ← {"id":"1","result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"matrix","version":"1.0.0","title":"Matrix","description":"Has everything","websiteUrl":"https://example.com","icons":[{"src":"https://example.com/icon.png","sizes":["48x48"]}]}},"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"capabilities":{"resources":{"listChanged":true,"subscribe":true},"prompts":{"listChanged":true},"tools":{"listChanged":true},"completions":{},"logging":{}},"instructions":"Use all of it"}}
    → {"id":"2","method":"tools/call","params":{"name":"work","arguments":{},"_meta":{…,"progressToken":"p"}}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"half"}}
    ← {"method":"notifications/progress","params":{"progressToken":"p","progress":2,"total":2,"message":"whole"}}
    ← {"id":"2","result":{"resultType":"complete","_meta":{…},"content":[{"type":"text","text":"done"}]}}
    → {"id":"3","method":"tools/call","params":{"name":"sequence","arguments":{},"_meta":{…}}}
    ← {"id":"3","result":{"resultType":"input_required","_meta":{…},"inputRequests":{"ask-1":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}},"requestState":"…"}}
    → {"id":"4","method":"tools/call","params":{"name":"sequence","arguments":{},"inputResponses":{"ask-1":{"action":"accept","content":{"name":"Ada"}}},"requestState":"…","_meta":{…}}}
    ← {"id":"4","result":{"resultType":"input_required","_meta":{…},"inputRequests":{"ask-2":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Capital?"}}],"maxTokens":10}}},"requestState":"…"}}
    → {"id":"5","method":"tools/call","params":{"name":"sequence","arguments":{},"inputResponses":{"ask-2":{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"}},"requestState":"…","_meta":{…}}}
    ← {"id":"5","result":{"resultType":"input_required","_meta":{…},"inputRequests":{"ask-3":{"method":"roots/list"}},"requestState":"…"}}
    → {"id":"6","method":"tools/call","params":{"name":"sequence","arguments":{},"inputResponses":{"ask-3":{"roots":[{"uri":"file:///work","name":"work"}]}},"requestState":"…","_meta":{…}}}
    ← {"id":"6","result":{"resultType":"complete","_meta":{…},"content":[{"type":"text","text":"ordered Ada Paris (m) file:///work"}]}}
    → {"id":"7","method":"tools/call","params":{"name":"array","arguments":{},"_meta":{…}}}
    ← {"id":"7","result":{"resultType":"complete","_meta":{…},"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}}
    → {"id":"8","method":"resources/read","params":{"uri":"gone://one","_meta":{…}}}
    ← {"id":"8","error":{"code":-32602,"message":"Resource not found: \\"gone://one\\"","data":{"uri":"gone://one"}}}
    "
  `);
});
