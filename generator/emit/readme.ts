import type { Method } from "../link/protocol.js";
import type { OutputFile } from "../plan/file-plan.js";
import type { RevisionPlan, SidePlan } from "../plan/revision-plan.js";
import { command, origin } from "./header.js";
import { escapeString } from "./printer/escape.js";
import { renderTemplate } from "./template.js";

/** README.md: the package's page. */
export function emitReadme(plan: RevisionPlan): OutputFile {
  const { protocol, packageName } = plan;
  const has = (method: string): boolean =>
    protocol.methods.some((row) => row.method === method && row.from === "client");
  const isStateless = protocol.traits.lifecycle === "discover";
  const view = {
    origin: origin(plan).replaceAll("--", "&#45;&#45;"),
    packageName,
    revision: protocol.revision,
    specification: `https://modelcontextprotocol.io/specification/${protocol.revision}`,
    isStateless,
    hasConversation: !isStateless && has("tools/list") && has("tools/call"),
    implementation: protocol.envelope.implementation,
    modules: table(["Import", "What is in it"], modules(plan)),
    command: command(plan),
    methods: table(["Method", "Sent by", "Client", "Server"], methods(plan)),
  };
  return { path: "README.md", text: renderTemplate("revision/README.md", view) };
}

function modules({ packageName: name, features }: RevisionPlan): string[][] {
  const bound = features?.classes.map((feature) => `\`${feature.name}\``).join(", ");
  return [
    [`\`${name}\``, "all of it but the features; the validators as the namespace `validators`"],
    ["`…/types`", "every type of the schema, and maps from methods to types"],
    ["`…/validators`", "for each type a function, `(value, trace?) => boolean`"],
    ["`…/methods`", "`revision`: methods, traits and error codes as one value"],
    ["`…/client`, `…/server`", "`Client`, `Server`, and the types of their handlers"],
    ...(bound ? [["`…/features`", `${bound}: for the option \`features\``]] : []),
  ];
}

function methods({ protocol, client, server }: RevisionPlan): string[][] {
  return protocol.methods.map((method) => [
    inline(method.method),
    method.channel === "embedded" ? `${method.from}, in a result` : method.from,
    part(method, client),
    part(method, server),
  ]);
}

/** What a side has to do with a message: the method that sends it, a handler for it. */
function part(method: Method, { stubs, handlers }: SidePlan): string {
  const stub = stubs.find((candidate) => candidate.method === method);
  const names = [stub?.name, stub?.pager?.name].filter((name) => name !== undefined);
  const sent = names.map((name) => `\`${name}()\``);
  return [...sent, ...(handlers.includes(method) ? ["handler"] : [])].join(", ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const rule = head.map(() => "---");
  return [head, rule, ...rows].map((row) => {
    const cells = row.map((cell) => (cell === "" ? " " : ` ${cell} `));
    return `|${cells.join("|")}|`;
  });
}

/** Text from a schema as inline code of a table. */
function inline(text: string): string {
  return `\`${escapeString(text).slice(1, -1).replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
