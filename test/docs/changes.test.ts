import { beforeAll, describe, expect, it } from "vitest";
import { collect } from "../../generator/docs/collect/collect.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { plain, sharedSite, textOf } from "./shared-site.js";
import { bundledInputs, ownInput, schemaOf, siteOf } from "./site.js";

const { steps } = collect(bundledInputs());
let site: readonly OutputFile[];

beforeAll(async () => {
  site = await sharedSite();
});

/** Returns the text between two places on a page of the site. */
function between(path: string, start: string, end: string): string {
  const [, text = ""] = textOf(site, path).split(start);
  return plain(text.split(end)[0]!);
}

const page = (path: string): string => plain(textOf(site, path));

describe.each(steps.map((step) => [step.page, step] as const))(
  "the checklists of %s",
  (_, step) => {
    it.each([
      ["server", "client"],
      ["client", "classes"],
    ] as const)("mention each breaking change that concerns the %s", (side, next) => {
      const text = between(step.page, `<h2 id="${side}">`, `<h2 id="${next}">`);
      const own = step.changes.filter(({ sides }) => sides.includes(side));
      expect(own.length).toBeGreaterThan(0);
      const missing = own.filter(({ name, pointer }) => {
        const member = pointer.split("/").at(-1)!.replaceAll("~1", "/").replace("*", "");
        return !text.includes(name.split(" ")[0]!) || !text.includes(member);
      });
      expect(missing.map(({ name, pointer }) => `${name} ${pointer}`)).toEqual([]);
    });
  },
);

it("groups the sentences by what everyone must do, what some features need, and what is allowed", () => {
  const path = "changes/2025-11-25-to-2026-07-28.html";
  const server = between(path, '<h2 id="server">', '<h2 id="client">');
  const [must = "", ...others] = server.split("Only if you use ");
  expect(must).toContain("You must");
  expect(must).toContain("Answer server/discover");
  expect(must).toMatch(/Always send resultType in ListResourcesResult/);
  expect(others.find((one) => one.startsWith("tools\n"))).toContain(
    "No longer send CreateTaskResult as the result of tools/call.",
  );
  expect(server).toMatch(/You may[^]*Send \S*serverInfo in ListResourcesResult/);
  // Only clients send the replacement for this method.
  expect(server).toContain("Do not send ping: no longer defined.");
  const client = between(path, '<h2 id="client">', '<h2 id="classes">');
  expect(client).toContain("Do not send ping: use server/discover instead.");
  expect(client).toContain("Do not send initialize: use server/discover instead.");
  expect(client).toContain("Repeat uri of resources/read in Mcp-Name.");
});

const FIND = `
/** Finds notes. */
export interface FindNoteRequest extends Request { method: "notes/find" }
export interface FindNoteResult extends Result {}
`;

const schema = (member: string, requests: readonly string[]) =>
  schemaOf(
    `export interface GetNoteRequest extends Request { method: "notes/get"; params: { ${member} } }
     export interface GetNoteResult extends Result {}`,
    requests,
  );

it("writes sentences for a protocol of one's own", () => {
  const own = siteOf([
    ownInput(schema("id?: string", ["GetNote"]), "1"),
    ownInput(`${schema("id: string; words?: string", ["GetNote", "FindNote"])}${FIND}`, "2"),
  ]);
  const text = plain(textOf(own, "changes/1-to-2.html"));
  expect(text).toContain("Answer notes/find: Finds notes.");
  expect(text).toMatch(/Always send id in \w+/);
});

/** Returns the errors on a method's page, without remarks in brackets. */
const errors = (method: string, id: string): string =>
  between(`method/${method}.html`, `<h2 id="at-${id}.errors">`, '<h2 id="at-').replace(
    /\(.*?\)/g,
    "",
  );

describe("the page of a method", () => {
  it("lists the errors that can answer it", () => {
    const call = errors("tools-call", "2026-07-28");
    expect(call).toMatch(/-32601\s*METHOD_NOT_FOUND.*HTTP status 404/);
    expect(call).toContain("-32021");
    expect(call).not.toContain("-32700");
    expect(errors("resources-read", "2025-11-25")).toContain("-32002");
    expect(errors("tools-call", "2025-11-25")).not.toContain("-32002");
    expect(errors("tools-call", "2025-11-25")).toContain("-32042");
    expect(errors("sampling-createMessage", "2025-11-25")).toMatch(/-1\s*USER_REJECTED/);
    expect(errors("sampling-createMessage", "2025-11-25")).not.toContain("-32042");
    expect(errors("notifications-cancelled", "2025-11-25")).toBe("");
  });

  it("has its HTTP headers in one row", () => {
    const row = /<dt>HTTP headers<.*/.exec(textOf(site, "method/tools-call.html"))![0];
    expect(plain(row)).toContain("Mcp-Method: tools/call");
    expect(plain(row)).toContain("Mcp-Name: name of the parameters;");
    expect(plain(row)).toContain("MCP-Protocol-Version: 2026-07-28");
  });

  it("says when it was removed, and links to what replaced it and to a comparison", () => {
    const text = textOf(site, "method/initialize.html");
    expect(plain(text)).toContain("Removed in 2026-07-28; use server/discover (compare them).");
    const [, comparison = ""] = /href="\.\.\/(compare\/[^"]*)"/.exec(text)!;
    expect(page(comparison)).toMatch(
      /instructions[^]*InitializeResult|InitializeResult[^]*instructions/,
    );
    expect(page("method/server-discover.html")).toContain("Replaces initialize");
    expect(page("method/ping.html")).toContain(
      "use server/discover (compare them). Any answer shows that a server is alive",
    );
    expect(page("method/tasks-result.html")).toContain("Removed in 2026-07-28.");
    expect(page("method/tasks-get.html")).toMatch(
      /Removed in 2026-07-28; the extension \S+ has it/,
    );
    expect(page("type/InitializeResult.html")).toContain("use DiscoverResult");
  });

  it("says what happens where a rule translates it", () => {
    expect(page("method/tools-call.html")).toContain(
      "result.structuredContent is translated. Structured content can be any JSON",
    );
  });
});

/** Returns the heading above a type in the list of types. */
const group = (name: string): string => {
  const [before = ""] = textOf(site, "types.html").split(`<tr id="${name}">`);
  return plain(/.*<h2[^>]*>(.*?)<\/h2>/s.exec(before)![1]!);
};

describe("the tables", () => {
  it("have the newest revision first, and the code of an error before its name", () => {
    const text = textOf(site, "errors.html");
    const heads = [...text.matchAll(/<th scope="col">(\d[^<]*)</g)].map(([, id]) => id!);
    expect(heads.length).toBeGreaterThan(2);
    expect(heads).toEqual(heads.toSorted().toReversed());
    const codes = [...text.matchAll(/<th scope="row"><code>(-\d+)/g)].map(([, code]) =>
      Number(code),
    );
    expect(codes).toEqual(codes.toSorted((one, other) => one - other));
  });

  it("describe the values of traits and conventions by revision", () => {
    const text = page("traits.html");
    expect(text).toContain("2026-07-28: There is no handshake");
    expect(text).toContain("2024-11-05 to 2025-11-25: A handshake opens each session");
  });

  it("group types by what they belong to", () => {
    expect(group("ElicitRequestFormParams")).toBe("Elicitation");
    expect(group("Root")).toBe("Roots");
    expect(group("InputRequiredResult")).not.toMatch(/empty/i);
  });
});
