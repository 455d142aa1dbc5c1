import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFolder } from "../../generator/bundled/bundled.js";
import { Diagnostics } from "../../generator/diagnostics.js";
import { plan } from "../../generator/plan/plan.js";
import { BASE_MEMBERS, RESERVED_NAMES } from "../../generator/plan/reserved-names.js";
import { RUNTIME_IMPORTS, SIDES, sideModule } from "../../generator/plan/runtime-imports.js";
import { ClientBase } from "../../runtime/engine/index.js";
import { serverHandshake } from "../../runtime/session/index.js";
import { ServerBase } from "../../runtime/engine/index.js";
import { tinyRevision } from "../engine/support/tiny-revision.js";
import { planOf, protocolOf, schemaWith } from "./schema.js";

const request = (type: string, method: string) =>
  `export interface ${type} extends Request { method: "${method}" }`;

const page = (type: string, members: string) =>
  `${request(`${type}Request`, type.toLowerCase()).replace("}", "; params?: { cursor?: string } }")}
   export interface ${type}Result extends Result { nextCursor?: string; ${members} }`;

const pagers = (...pages: readonly [type: string, members: string][]): (string | undefined)[] => {
  const declarations = `${pages.map(([type, members]) => page(type, members)).join("\n")}
    export interface Leaf {}
    export type Leaves = Leaf[];`;
  const { client } = planOf(
    schemaWith({
      declarations,
      clientRequests: pages.map(([type]) => `${type}Request`),
      serverResults: pages.map(([type]) => `${type}Result`),
    }),
  );
  return client.stubs.map(({ pager }) => pager && `${pager.name} ${pager.member} ${pager.item}`);
};

function stubNames(declarations: string, clientRequests: readonly string[]): string[] {
  const { client } = planOf(schemaWith({ declarations, clientRequests }));
  return client.stubs.map(({ name }) => name);
}

function refusesRevision(revision: string): boolean {
  const diagnostics = new Diagnostics();
  const options = { file: "schema.ts", version: "0.1.0", runtime: "x" };
  plan({ ...protocolOf(schemaWith({ declarations: "" })), revision }, options, diagnostics);
  return diagnostics.items.some(({ code }) => code === "MCG5001");
}

function refusals(text: string): string[] {
  const diagnostics = new Diagnostics();
  planOf(text, diagnostics);
  expect(diagnostics.items.filter(({ hint }) => hint === undefined)).toEqual([]);
  return diagnostics.items.map(
    ({ code, message, span }) => `${span?.line}:${span?.column} ${code} ${message}`,
  );
}

describe("names of stubs", () => {
  it.each([
    ["SetLevelRequest", "setLevel"],
    ["URLCheckRequest", "urlCheck"],
    ["XRequest", "x"],
  ])("%s: the method is %s", (type, stub) => {
    expect(stubNames(request(type, "x/y"), [type])).toEqual([stub]);
  });

  it.each(["Close", "Request", "Constructor", "ToString", "Then"])(
    "keep the suffix of %sRequest because the base class has a member of that name",
    (base) => {
      const type = base === "Request" ? "RequestRequest" : `${base}Request`;
      const [name] = stubNames(request(type, "x/y"), [type]);
      expect(name).toBe(`${type[0]!.toLowerCase()}${type.slice(1)}`);
    },
  );

  it("keep both suffixes of two stubs of one name", () => {
    const declarations = `${request("SendPaintRequest", "paint/send")}
      export interface PaintNotification extends Notification { method: "notifications/paint" }`;
    const { client } = planOf(
      schemaWith({
        declarations,
        clientRequests: ["SendPaintRequest"],
        clientNotifications: ["PaintNotification"],
      }),
    );
    expect(client.stubs.map(({ name }) => name)).toEqual([
      "sendPaintRequest",
      "sendPaintNotification",
    ]);
  });

  it("are refused if the suffix does not help", () => {
    const declarations = `${request("AddRequest", "add")}\n${request("addRequest", "add2")}`;
    expect(
      refusals(schemaWith({ declarations, clientRequests: ["AddRequest", "addRequest"] })),
    ).toEqual(["2:1 MCG5004 Client.addRequest would send both AddRequest and addRequest."]);
  });

  it("omit the messages of the engine", () => {
    expect(stubNames("", [])).toEqual([]);
  });
});

describe("iterators over pages", () => {
  it.each([
    ["leaves: Leaf[]", "allLeaves leaves Leaf"],
    ["leaves: Leaves", "allLeaves leaves Leaf"],
    ["leaves: Leaf[]; others?: Leaf[]; count: string", "allLeaves leaves Leaf"],
    ["words: string[]", "allWords words undefined"],
  ])("list { %s } with %s", (members, expected) => {
    expect(pagers(["Pick", members])).toEqual([expected]);
  });

  it.each(["leaves?: Leaf[]", "leaves: Leaf[]; others: Leaf[]", "leaf: Leaf", '"a-b": Leaf[]'])(
    "are absent for { %s }, which is ambiguous",
    (members) => {
      expect(pagers(["Pick", members])).toEqual([undefined]);
    },
  );

  it("are named after their requests if two have the same name", () => {
    expect(pagers(["Pick", "leaves: Leaf[]"], ["Search", "leaves: Leaf[]"])).toEqual([
      "allPick leaves Leaf",
      "allSearch leaves Leaf",
    ]);
  });

  it("keep their name if a search lists the same items", () => {
    const declarations = `${page("SearchLeaves", "leaves: Leaf[]")}
export interface ListLeavesRequest extends Request { method: "leaves/list"; params?: { cursor?: string } }
export interface ListLeavesResult extends Result { leaves: Leaf[]; nextCursor?: string }
export interface Leaf {}`;
    const text = schemaWith({
      declarations,
      clientRequests: ["SearchLeavesRequest", "ListLeavesRequest"],
      serverResults: ["SearchLeavesResult", "ListLeavesResult"],
    });
    const names = planOf(text).client.stubs.flatMap(({ pager }) => pager?.name ?? []);
    expect(names).toEqual(["allSearchLeaves", "allLeaves"]);
  });

  it("leave a name to a request that has it", () => {
    expect(pagers(["AllLeaves", "leaves: Leaf[]"])).toEqual(["allAllLeaves leaves Leaf"]);
  });

  it("are refused for a name that remains taken", () => {
    const declarations = `${page("AllLeaves", "leaves: Leaf[]")}
${request("AllAllLeavesRequest", "x")}
export interface Leaf {}`;
    const text = schemaWith({
      declarations,
      clientRequests: ["AllLeavesRequest", "AllAllLeavesRequest"],
      serverResults: ["AllLeavesResult"],
    });
    expect(refusals(text)).toEqual([
      "3:1 MCG5004 Client.allAllLeaves would send both AllLeavesRequest and AllAllLeavesRequest.",
    ]);
  });
});

describe("names of declarations", () => {
  it.each([...RESERVED_NAMES])("refuse %s: %s", (name, reason) => {
    expect(refusals(schemaWith({ declarations: `\n  export interface ${name} {}` }))).toEqual([
      `2:3 MCG5002 The name ${name} is taken: ${reason}.`,
    ]);
  });

  it.each(["arguments", "await", "eval", "let", "static", "yield"])(
    "refuse %s, which no validator can have",
    (name) => {
      expect(refusals(schemaWith({ declarations: `export interface ${name} {}` }))).toEqual([
        `1:1 MCG5003 ${name} cannot name a function, so there can be no validator of this type.`,
      ]);
    },
  );

  it("accept names that only look reserved", () => {
    const declarations = "export interface constructor {}\nexport interface __proto__ {}";
    expect(refusals(schemaWith({ declarations }))).toEqual([]);
  });
});

describe("names of methods", () => {
  it.each(["constructor", "toString", "__proto__"])("refuse %s, which every object has", (name) => {
    const declarations = `\n ${request("OddRequest", name)}`;
    expect(refusals(schemaWith({ declarations, clientRequests: ["OddRequest"] }))).toEqual([
      `2:2 MCG5005 The method "${name}" has the name of a member of every object.`,
    ]);
  });
});

describe("ids of revisions", () => {
  it.each(["2025-03-26", "draft", "v1.2_3"])("may be %s", (revision) => {
    expect(refusesRevision(revision)).toBe(false);
  });

  it.each(["", "..", "a/b", "Draft", "a\nb", "*/", `"`, "a".repeat(65)])(
    "cannot be %j",
    (revision) => {
      expect(refusesRevision(revision)).toBe(true);
    },
  );
});

it("a side that sends nothing has no stubs, and the other side no handlers", () => {
  const { server, client } = planOf(schemaWith({ declarations: "" }));
  expect([server.stubs, client.handlers]).toEqual([[], []]);
});

it("members of the base classes and of every object count as taken", () => {
  const prototypes = [ClientBase.prototype, ServerBase.prototype, Object.prototype];
  const info = { name: "x", version: "1" };
  const own = [ClientBase, ServerBase].flatMap((Base) =>
    Object.keys(new Base([tinyRevision()], info, {}, {}, serverHandshake)),
  );
  const members = new Set(["then", ...prototypes.flatMap(Object.getOwnPropertyNames), ...own]);
  expect([...BASE_MEMBERS].toSorted()).toEqual([...members].toSorted());
});

it("generated code may import exactly what the runtime exports for it", () => {
  const kinds = Object.entries(RUNTIME_IMPORTS);
  expect(exportedBy("codegen.ts")).toEqual(Object.fromEntries(kinds));
  for (const side of ["client", "server"] as const) {
    const { base, ...lifecycles } = SIDES[side];
    for (const lifecycle of ["initialize", "discover"] as const) {
      const file = `${sideModule("codegen", lifecycle, side)}.ts`;
      expect(exportedBy(file)).toEqual({ [base]: "value", [lifecycles[lifecycle]]: "value" });
    }
  }
});

it("each side has a module of its own beside the runtime module that both import", () => {
  expect(sideModule("@mcp-codegen/runtime/codegen", "initialize", "client")).toBe(
    "@mcp-codegen/runtime/codegen/session-client",
  );
  expect(sideModule("../runtime/codegen.js", "discover", "server")).toBe(
    "../runtime/codegen/stateless-server.js",
  );
});

/** Returns the names that a module of the runtime exports, with their kinds. */
function exportedBy(file: string): Record<string, string> {
  const text = readFileSync(join(packageFolder(), "runtime", file), "utf8");
  const exported = [...text.matchAll(/^export (type )?\{(.*?)\} from/gms)].flatMap(
    ([, type, names]) =>
      names!.split(",").flatMap((name) => {
        const [, marked, plain] = /^\s*(type )?(\w*)\s*$/.exec(name)!;
        return plain === "" ? [] : [[plain, type || marked ? "type" : "value"] as const];
      }),
  );
  return Object.fromEntries(exported);
}
