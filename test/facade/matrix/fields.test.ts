import { beforeAll, describe, expect, test } from "vitest";
import { protocols, shapesOf } from "../project/revisions.js";
import { strictIssues } from "../project/strict.js";
import { CASES, REVISIONS } from "./support/cases.js";
import { hosts } from "./support/host.js";
import type { Wire } from "./support/link.js";
import { Speaker } from "./support/speaker.js";

const { of } = hosts();

const READ: readonly (readonly [string, object?])[] = [
  ["tools/list"],
  ["tools/call", { name: "maximal", arguments: {} }],
  ["tools/call", { name: "array", arguments: {} }],
  ["resources/list"],
  ["resources/templates/list"],
  ["resources/read", { uri: "maximal://one" }],
  ["resources/read", { uri: "maximal://7/part" }],
  ["prompts/list"],
  ["prompts/get", { name: "maximal", arguments: { language: "go" } }],
];

const membersOf = (value: object): string => Object.keys(value).toSorted().join(" ");

const named = (items: Wire[], name = "maximal"): Wire => items.find((one) => one.name === name);

const infoOf = (result: Wire): Wire =>
  result.serverInfo ?? result["_meta"]["io.modelcontextprotocol/serverInfo"];

const kinds = ({ content }: Wire): string[] =>
  content.map((block: Wire) => `${block.type}: ${membersOf(block)}`);

const structured = ({ structuredContent }: Wire): unknown => structuredContent;

/** Reads everything that a client can read. */
async function read(revision: (typeof REVISIONS)[number], wire: "stdio" | "http" | "sse") {
  const host = await of(revision, wire);
  const speaker = await Speaker.over(host.link(wire), revision);
  const results: (readonly [string, Wire])[] = [];
  if (speaker.isAlone) {
    results.push(["server/discover", (await speaker.call("server/discover")).result]);
  } else results.push(["initialize", speaker.messages[0]!.message.result]);
  for (const [method, params] of READ) {
    results.push([method, (await speaker.call(method, params)).result]);
  }
  expect(speaker.violations).toEqual([]);
  return results;
}

test.each(CASES)(
  "no members are sent that the revision does not have, at %s over %s (MATRIX-06)",
  async (revision, wire) => {
    const protocol = protocols.find((one) => one.revision === revision)!;
    const shapes = shapesOf(revision);
    for (const [method, result] of await read(revision, wire)) {
      const { type } = protocol.methods.find((one) => one.method === method)!.result!;
      // In the newest revision, this may be any JSON, which the check does not expect.
      const isArray = Array.isArray(result.structuredContent);
      const checked =
        isArray && revision === "2026-07-28" ? { ...result, structuredContent: {} } : result;
      expect(strictIssues(shapes, type, checked), JSON.stringify([method, result])).toEqual([]);
    }
  },
);

describe("one definition at every revision (MATRIX-06)", () => {
  const all = new Map<string, Map<string, Wire[]>>();

  beforeAll(async () => {
    for (const revision of REVISIONS) {
      const results = new Map<string, Wire[]>();
      for (const [method, result] of await read(revision, revision < "2025" ? "sse" : "http")) {
        results.set(method, [...(results.get(method) ?? []), result]);
      }
      all.set(revision, results);
    }
  }, 60_000);

  /** Picks a value from each revision's results and returns the values by revision id. */
  function sideBySide(method: string, pick: (result: Wire) => unknown, which = 0): Wire {
    return Object.fromEntries(
      [...all].map(([revision, results]) => {
        const found = results.get(method) ?? results.get("initialize")!;
        return [revision, pick(found[which])];
      }),
    );
  }

  test("of a server", () => {
    expect(sideBySide("server/discover", (result) => membersOf(infoOf(result))))
      .toMatchInlineSnapshot(`
      {
        "2024-11-05": "name version",
        "2025-03-26": "name version",
        "2025-06-18": "name title version",
        "2025-11-25": "description icons name title version websiteUrl",
        "2026-07-28": "description icons name title version websiteUrl",
      }
    `);
    expect(sideBySide("server/discover", ({ capabilities }) => membersOf(capabilities)))
      .toMatchInlineSnapshot(`
      {
        "2024-11-05": "logging prompts resources tools",
        "2025-03-26": "completions logging prompts resources tools",
        "2025-06-18": "completions logging prompts resources tools",
        "2025-11-25": "completions logging prompts resources tools",
        "2026-07-28": "completions logging prompts resources tools",
      }
    `);
  });

  test("of a tool", () => {
    expect(sideBySide("tools/list", ({ tools }) => membersOf(named(tools)))).toMatchInlineSnapshot(`
      {
        "2024-11-05": "description inputSchema name",
        "2025-03-26": "annotations description inputSchema name",
        "2025-06-18": "_meta annotations description inputSchema name outputSchema title",
        "2025-11-25": "_meta annotations description icons inputSchema name outputSchema title",
        "2026-07-28": "_meta annotations description icons inputSchema name outputSchema title",
      }
    `);
    expect(sideBySide("tools/list", ({ tools }) => named(tools).annotations?.title))
      .toMatchInlineSnapshot(`
      {
        "2024-11-05": undefined,
        "2025-03-26": "All of a tool",
        "2025-06-18": undefined,
        "2025-11-25": undefined,
        "2026-07-28": undefined,
      }
    `);
    expect(sideBySide("tools/list", ({ tools }) => membersOf(named(tools, "array"))))
      .toMatchInlineSnapshot(`
        {
          "2024-11-05": "inputSchema name",
          "2025-03-26": "inputSchema name",
          "2025-06-18": "inputSchema name outputSchema",
          "2025-11-25": "inputSchema name outputSchema",
          "2026-07-28": "inputSchema name outputSchema",
        }
      `);
  });

  test("of a resource, a template and a prompt", () => {
    expect(sideBySide("resources/list", ({ resources }) => membersOf(named(resources))))
      .toMatchInlineSnapshot(`
      {
        "2024-11-05": "annotations description mimeType name size uri",
        "2025-03-26": "annotations description mimeType name size uri",
        "2025-06-18": "_meta annotations description mimeType name size title uri",
        "2025-11-25": "_meta annotations description icons mimeType name size title uri",
        "2026-07-28": "_meta annotations description icons mimeType name size title uri",
      }
    `);
    expect(
      sideBySide("resources/templates/list", ({ resourceTemplates }) =>
        membersOf(named(resourceTemplates, "part")),
      ),
    ).toMatchInlineSnapshot(`
      {
        "2024-11-05": "annotations description mimeType name uriTemplate",
        "2025-03-26": "annotations description mimeType name uriTemplate",
        "2025-06-18": "_meta annotations description mimeType name title uriTemplate",
        "2025-11-25": "_meta annotations description icons mimeType name title uriTemplate",
        "2026-07-28": "_meta annotations description icons mimeType name title uriTemplate",
      }
    `);
    expect(sideBySide("prompts/list", ({ prompts }) => membersOf(named(prompts))))
      .toMatchInlineSnapshot(`
      {
        "2024-11-05": "arguments description name",
        "2025-03-26": "arguments description name",
        "2025-06-18": "_meta arguments description name title",
        "2025-11-25": "_meta arguments description icons name title",
        "2026-07-28": "_meta arguments description icons name title",
      }
    `);
    expect(sideBySide("resources/read", ({ contents }) => membersOf(contents[0])))
      .toMatchInlineSnapshot(`
      {
        "2024-11-05": "mimeType text uri",
        "2025-03-26": "mimeType text uri",
        "2025-06-18": "_meta mimeType text uri",
        "2025-11-25": "_meta mimeType text uri",
        "2026-07-28": "_meta mimeType text uri",
      }
    `);
  });

  test("of each kind of content", () => {
    expect(sideBySide("tools/call", kinds)).toMatchInlineSnapshot(`
      {
        "2024-11-05": [
          "text: annotations text type",
          "image: annotations data mimeType type",
          "text: annotations text type",
          "text: annotations text type",
          "resource: annotations resource type",
          "text: text type",
        ],
        "2025-03-26": [
          "text: annotations text type",
          "image: annotations data mimeType type",
          "audio: annotations data mimeType type",
          "text: annotations text type",
          "resource: annotations resource type",
          "text: text type",
        ],
        "2025-06-18": [
          "text: _meta annotations text type",
          "image: _meta annotations data mimeType type",
          "audio: _meta annotations data mimeType type",
          "resource_link: _meta annotations name title type uri",
          "resource: _meta annotations resource type",
          "text: text type",
        ],
        "2025-11-25": [
          "text: _meta annotations text type",
          "image: _meta annotations data mimeType type",
          "audio: _meta annotations data mimeType type",
          "resource_link: _meta annotations icons name title type uri",
          "resource: _meta annotations resource type",
          "text: text type",
        ],
        "2026-07-28": [
          "text: _meta annotations text type",
          "image: _meta annotations data mimeType type",
          "audio: _meta annotations data mimeType type",
          "resource_link: _meta annotations icons name title type uri",
          "resource: _meta annotations resource type",
          "text: text type",
        ],
      }
    `);
  });

  test("of structured content, objects and others", () => {
    expect(sideBySide("tools/call", structured)).toMatchInlineSnapshot(`
      {
        "2024-11-05": undefined,
        "2025-03-26": undefined,
        "2025-06-18": {
          "sum": 3,
        },
        "2025-11-25": {
          "sum": 3,
        },
        "2026-07-28": {
          "sum": 3,
        },
      }
    `);
    expect(sideBySide("tools/call", structured, 1)).toMatchInlineSnapshot(`
      {
        "2024-11-05": undefined,
        "2025-03-26": undefined,
        "2025-06-18": {
          "result": [
            1,
            2,
          ],
        },
        "2025-11-25": {
          "result": [
            1,
            2,
          ],
        },
        "2026-07-28": [
          1,
          2,
        ],
      }
    `);
    const texts = sideBySide("tools/call", ({ content }) => content, 1);
    const text = [{ type: "text", text: "[1,2]" }];
    expect(texts).toEqual(Object.fromEntries(REVISIONS.map((revision) => [revision, text])));
  });

  test("of whole results", () => {
    expect(sideBySide("tools/list", membersOf)).toMatchInlineSnapshot(`
      {
        "2024-11-05": "tools",
        "2025-03-26": "tools",
        "2025-06-18": "tools",
        "2025-11-25": "tools",
        "2026-07-28": "_meta cacheScope resultType tools ttlMs",
      }
    `);
    expect(sideBySide("resources/read", membersOf)).toMatchInlineSnapshot(`
      {
        "2024-11-05": "contents",
        "2025-03-26": "contents",
        "2025-06-18": "contents",
        "2025-11-25": "contents",
        "2026-07-28": "_meta cacheScope contents resultType ttlMs",
      }
    `);
  });
});
