import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_CONVENTIONS } from "../../generator/link/conventions.js";
import type { Facts } from "../../generator/link/facts.js";
import type { Method, Protocol, Traits } from "../../generator/link/protocol.js";
import { bundled, protocolOf } from "./bundled-protocols.js";

const protocols = new Map(bundled.map((revision) => [revision, protocolOf(revision)]));
const protocol = (revision: string): Protocol => protocols.get(revision)!;
const method = (revision: string, name: string): Method =>
  protocol(revision).methods.find((one) => one.method === name)!;

/** Formats one row per method: method, sender, type, parameters, results and gate. */
function rows({ methods, synthesized }: Protocol): string[] {
  return methods.map(({ method: name, from, channel, type, params, result, capability }) => {
    const owner = synthesized.find((one) => one.name === params?.type)?.owner;
    const results = result ? [result, ...result.alternatives].map((one) => one.type) : [];
    return [
      name,
      channel === "embedded" ? "embedded" : from,
      type,
      params ? `${owner ? `inline:${owner}` : params.type}${params.optional ? "?" : ""}` : "-",
      results.join(" | ") || "-",
      capability ?? "-",
    ].join("  ");
  });
}

describe("every method of every revision that has a table (GEN-03, GEN-05, GEN-07)", () => {
  const tables = new URL("../fixtures/methods/", import.meta.url);

  it.each(readdirSync(tables))("%s", (table) => {
    const revision = table.replace(".txt", "");
    const [, ...expected] = readFileSync(new URL(table, tables), "utf8").trim().split("\n");
    expect(rows(protocol(revision)).toSorted()).toEqual(
      expected.map((row) => row.split(/ {2,}/).join("  ")).toSorted(),
    );
  });
});

describe("traits", () => {
  const handshake: Traits = {
    lifecycle: "initialize",
    serverRequests: "wire",
    batching: false,
    envelope: "outside",
    requestMeta: "optional",
    resultType: false,
    cacheable: false,
    errorId: "required",
    tasks: false,
    progressMessage: true,
  };

  it.each([
    ["2024-11-05", { ...handshake, progressMessage: false }],
    ["2025-03-26", { ...handshake, batching: true }],
    ["2025-06-18", handshake],
    ["2025-11-25", { ...handshake, envelope: "inside", errorId: "optional", tasks: true }],
    [
      "2026-07-28",
      {
        lifecycle: "discover",
        serverRequests: "embedded",
        batching: false,
        envelope: "inside",
        requestMeta: "required",
        resultType: true,
        cacheable: true,
        errorId: "optional",
        tasks: false,
        progressMessage: true,
      },
    ],
  ])("%s", (revision, expected) => {
    expect(protocol(revision).traits).toEqual(expected);
  });
});

describe("conventions", () => {
  const oldest = {
    http: "sse",
    versionHeader: false,
    polling: false,
    toolInputErrors: "error",
    fallbackStatuses: "4xx",
    methodHeaders: false,
    errorStatuses: {},
    reservedErrors: [],
  };
  const statuses = [400, 404, 405];

  it.each([
    ["2024-11-05", oldest],
    ["2025-03-26", { ...oldest, http: "streamable" }],
    ["2025-06-18", { ...oldest, http: "streamable", versionHeader: true }],
    [
      "2025-11-25",
      {
        http: "streamable",
        versionHeader: true,
        polling: true,
        toolInputErrors: "result",
        fallbackStatuses: statuses,
        methodHeaders: false,
        errorStatuses: {},
        reservedErrors: [],
      },
    ],
    ["2026-07-28", { ...DEFAULT_CONVENTIONS }],
  ])(
    "%s (SSE-12, SSE-13, SSE-14, HTTP-32, HTTP-33, HTTP-34, POLL-01, TOOL-21, TOOL-22, HDR-07, ERR-06, GAP-26)",
    (revision, expected) => {
      expect(protocol(revision).conventions).toEqual(expected);
    },
  );

  it.each(bundled)(
    "are facts with a reason and a page of this or the next revision: %s",
    (revision) => {
      const text = readFileSync(
        new URL(`../../schema/${revision}/facts.json`, import.meta.url),
        "utf8",
      );
      const { conventions = [] } = JSON.parse(text) as Facts;
      expect(conventions.map(({ convention }) => convention)).toEqual(
        Object.keys(DEFAULT_CONVENTIONS),
      );
    },
  );
});

describe("headers", () => {
  it.each(bundled)("repeat the method and name of a request: %s", (revision) => {
    const found = protocol(revision)
      .methods.filter(({ nameHeader, paramHeaders }) => nameHeader ?? paramHeaders)
      .map((row) => [row.method, row.nameHeader, row.paramHeaders]);
    const expected = [
      ["resources/read", "uri", undefined],
      ["prompts/get", "name", undefined],
      ["tools/call", "name", "tools/list"],
    ];
    const { methodHeaders } = protocol(revision).conventions;
    expect(found).toEqual(methodHeaders ? expected : []);
  });
});

describe("the shared types", () => {
  const common = {
    message: "JSONRPCMessage",
    request: "JSONRPCRequest",
    notification: "JSONRPCNotification",
    clientCapabilities: "ClientCapabilities",
    serverCapabilities: "ServerCapabilities",
    implementation: "Implementation",
  };
  const shared = { requestParams: "RequestParams", notificationParams: "NotificationParams" };
  const early = { ...common, ...shared, result: "JSONRPCResponse", error: "JSONRPCError" };
  const late = { ...common, result: "JSONRPCResultResponse", error: "JSONRPCErrorResponse" };

  it.each([
    ["2024-11-05", early],
    ["2025-03-26", early],
    ["2025-06-18", early],
    ["2025-11-25", late],
    ["2026-07-28", { ...late, ...shared }],
  ])("%s", (revision, expected) => {
    expect(protocol(revision).envelope).toEqual(expected);
  });
});

/** Returns JSON-RPC's own codes, with the types that a revision declares for them. */
function jsonRpc(types: readonly string[] = []): string[] {
  return ["PARSE_ERROR -32700", "INVALID_REQUEST -32600", "METHOD_NOT_FOUND -32601"]
    .concat("INVALID_PARAMS -32602", "INTERNAL_ERROR -32603")
    .map((code, index) => [code, types[index], "schema"].filter(Boolean).join(" "));
}

describe("error codes", () => {
  const prose = ["RESOURCE_NOT_FOUND -32002 prose", "USER_REJECTED -1 prose"];

  it.each([
    ["2024-11-05", [...jsonRpc(), ...prose]],
    ["2025-03-26", [...jsonRpc(), ...prose]],
    ["2025-06-18", [...jsonRpc(), ...prose]],
    [
      "2025-11-25",
      [
        ...jsonRpc(),
        "URL_ELICITATION_REQUIRED -32042 URLElicitationRequiredError schema",
        ...prose,
      ],
    ],
    [
      "2026-07-28",
      [
        ...jsonRpc([
          "ParseError",
          "InvalidRequestError",
          "MethodNotFoundError",
          "InvalidParamsError",
          "InternalError",
        ]),
        "HEADER_MISMATCH -32020 HeaderMismatchError schema",
        "MISSING_REQUIRED_CLIENT_CAPABILITY -32021 MissingRequiredClientCapabilityError schema",
        "UNSUPPORTED_PROTOCOL_VERSION -32022 UnsupportedProtocolVersionError schema",
      ],
    ],
  ])("%s", (revision, expected) => {
    const codes = protocol(revision).errorCodes.map(({ name, code, type, origin }) =>
      [name, code, type, origin].filter((part) => part !== undefined).join(" "),
    );
    expect(codes).toEqual(expected);
  });
});

function conditions(revision: string): string[] {
  return protocol(revision).methods.flatMap(({ method: name, conditions: all }) =>
    all.map((condition) =>
      [
        name,
        condition.member,
        condition.in?.join("|") ?? "any",
        condition.orAbsent ? "or absent" : "present",
        condition.capability,
        ...(condition.orEmpty ? [`or empty ${condition.orEmpty}`] : []),
        ...(condition.level ? [condition.level] : []),
        ...(condition.unmet ? [condition.unmet] : []),
      ].join(", "),
    ),
  );
}

/** Formats a member of a subscription filter with the capability that the server must offer for it. */
function filter(member: string, gate: string): string {
  return `subscriptions/listen, notifications.${member}, any, present, server.${gate}, drop`;
}

/** Returns the methods of a revision for which a condition holds. */
function having(revision: string, holds: (one: Method) => unknown): string[] {
  return protocol(revision)
    .methods.filter(holds)
    .map((one) => one.method);
}

function roles(revision: string): string[] {
  return protocol(revision)
    .methods.flatMap(({ role }) => role ?? [])
    .toSorted();
}

describe("gates that depend on parameters", () => {
  const modes = [
    "sampling/createMessage, tools, any, present, client.sampling.tools",
    "sampling/createMessage, toolChoice, any, present, client.sampling.tools",
    "sampling/createMessage, includeContext, thisServer|allServers, present, client.sampling.context, should",
    "elicitation/create, mode, form, or absent, client.elicitation.form, or empty client.elicitation",
    "elicitation/create, mode, url, present, client.elicitation.url",
  ];

  it("are absent before 2025-11-25", () => {
    expect(["2024-11-05", "2025-03-26", "2025-06-18"].flatMap(conditions)).toEqual([]);
  });

  it("exist at 2025-11-25", () => {
    const tasks = [
      "tools/call, task, any, present, server.tasks.requests.tools.call, drop",
      "sampling/createMessage, task, any, present, client.tasks.requests.sampling.createMessage, should, drop",
      "elicitation/create, task, any, present, client.tasks.requests.elicitation.create, should, drop",
    ];
    expect(conditions("2025-11-25").toSorted()).toEqual([...tasks, ...modes].toSorted());
  });

  it("exist at 2026-07-28", () => {
    const filters = [
      filter("toolsListChanged", "tools.listChanged"),
      filter("promptsListChanged", "prompts.listChanged"),
      filter("resourcesListChanged", "resources.listChanged"),
      filter("resourceSubscriptions", "resources.subscribe"),
    ];
    expect(conditions("2026-07-28").toSorted()).toEqual([...filters, ...modes].toSorted());
  });
});

describe("further properties", () => {
  it("include the gate that handling a request declares", () => {
    expect(method("2025-11-25", "tools/call").declares).toEqual({ tools: {} });
    expect(method("2025-11-25", "resources/subscribe").declares).toEqual({
      resources: { subscribe: true },
    });
    expect(method("2025-11-25", "tasks/list").declares).toEqual({ tasks: { list: {} } });
    expect(method("2025-11-25", "ping").declares).toBeUndefined();
    expect(method("2025-11-25", "notifications/message").declares).toBeUndefined();
  });

  it("include roles, pages, freshness and deprecation", () => {
    const lists = ["resources/list", "resources/templates/list", "prompts/list", "tools/list"];
    expect(having("2024-11-05", ({ paginated }) => paginated)).toEqual(lists);
    expect(having("2025-11-25", ({ paginated }) => paginated)).toEqual([...lists, "tasks/list"]);
    expect(having("2026-07-28", ({ cacheable }) => cacheable).toSorted()).toEqual(
      [...lists, "resources/read", "server/discover"].toSorted(),
    );
    expect(having("2026-07-28", ({ deprecated }) => deprecated)).toEqual([
      "notifications/message",
      "sampling/createMessage",
      "roots/list",
    ]);
    expect(roles("2024-11-05")).toEqual([
      "cancelled",
      "initialize",
      "initialized",
      "ping",
      "progress",
    ]);
    expect(roles("2026-07-28")).toEqual([
      "acknowledged",
      "cancelled",
      "discover",
      "listen",
      "progress",
    ]);
  });

  it("include the resultType of another result", () => {
    expect(method("2025-11-25", "tools/call").result).toEqual({
      type: "CallToolResult",
      alternatives: [{ type: "CreateTaskResult", when: "task" }],
      rule: "name",
    });
    expect(method("2026-07-28", "tools/call").result).toEqual({
      type: "CallToolResult",
      alternatives: [{ type: "InputRequiredResult", when: "input_required" }],
      rule: "response",
    });
    expect(method("2024-11-05", "ping").result?.rule).toBe("empty");
  });

  it("include names for inline parameters of bases", () => {
    const names = protocol("2024-11-05").synthesized.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["RequestParams", "NotificationParams", "PaginatedRequestParams"]),
    );
    expect(new Set(names).size).toBe(names.length);
    expect(protocol("2026-07-28").synthesized).toEqual([
      { name: "ListRootsRequestParams", owner: "ListRootsRequest", member: "params" },
    ]);
  });
});

describe("the restated schemas", () => {
  const folder = new URL("../../schema/", import.meta.url);

  it.each(bundled)("have the digests of the published file: %s", (revision) => {
    const text = readFileSync(new URL(`${revision}/facts.json`, folder), "utf8");
    const { official } = JSON.parse(text) as Facts;
    const { api, wire } = protocol(revision).source;
    expect({ api, wire }).toEqual({ api: official?.api, wire: official?.wire });
  });
});
