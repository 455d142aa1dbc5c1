import type { Doc } from "../../generator/model/schema-model.js";
import type { RevisionPlan } from "../../generator/plan/revision-plan.js";
import { planOf, schemaWith } from "./schema.js";

/** Ways to break out of a comment, a string, a template or a line, each with a call that must never become code. */
export const BREAKOUTS = [
  "*/ PWNED(); /*",
  "` + PWNED() + `",
  "${PWNED()}",
  `"; PWNED(); "`,
  "'; PWNED(); '",
  "\nPWNED();\n",
  "\r\nPWNED();\r\n",
  "\u2028PWNED();\u2029",
  '\\"; PWNED(); //',
  "{{PWNED}} {{#each PWNED}}{{/each}}",
  "</script><script>PWNED()",
  "@ts-ignore\n@ts-expect-error PWNED",
  "\u202ePWNED\u0000\u001b[31m",
] as const;

const quoted = BREAKOUTS.map((text) => JSON.stringify(text));
const members = [
  ...quoted,
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "class",
  "default",
  `"a-b"`,
  `"0"`,
];

/** A schema with hostile strings in every place that allows a string. */
const SCHEMA = schemaWith({
  declarations: `
    export interface OddRequest extends Request {
      method: ${JSON.stringify(BREAKOUTS.join(" "))};
      params: { ${members.map((name) => `${name}: { ${name}?: ${name.startsWith('"') ? name : "1"} }`).join("; ")} };
    }
    export interface OddResult extends Result { ${members.map((name) => `${name}?: string`).join("; ")} }
    export interface ProtoRequest extends Request { method: "__proto__/x" }
    export interface ConstructorRequest extends Request { method: "class" }
    export interface OddNotification extends Notification { method: ${JSON.stringify(`notifications/${BREAKOUTS[0]}`)} }
    export const ODD = ${JSON.stringify(BREAKOUTS.join(" "))};
    export type Odd = typeof ODD | ${quoted.join(" | ")};
    export type Open = ${quoted.join(" | ")} | string;
    export type Less = Omit<Base, ${quoted.join(" | ")}>;
    export interface Base { ${quoted.map((name) => `${name}: 1`).join("; ")}; left: 1 }
    export interface constructor { prototype: string }
    export interface __proto__ { __proto__: string }`,
  clientRequests: ["OddRequest", "ProtoRequest", "ConstructorRequest"],
  serverRequests: ["ProtoRequest"],
  serverNotifications: ["OddNotification"],
  clientNotifications: ["OddNotification"],
  serverResults: ["OddResult"],
});

/** Creates a plan of that schema, with hostile comments, headings and a hostile file name in addition. */
export function hostilePlan(): RevisionPlan {
  const plan = planOf(SCHEMA);
  const text = BREAKOUTS.join("\n\n");
  const doc: Doc = {
    text,
    tags: [
      ...BREAKOUTS.map((name) => ({ name, text })),
      { name: "deprecated", text },
      { name: "ts-ignore", text: "" },
    ],
  };
  const documented = (_: string, value: unknown): unknown =>
    typeof value === "object" && value !== null && "span" in value ? { ...value, doc } : value;
  const declarations = plan.protocol.declarations.map((declaration) =>
    JSON.parse(JSON.stringify({ ...declaration, section: BREAKOUTS[0] }, documented)),
  );
  const source = { ...plan.protocol.source, file: `${BREAKOUTS.join(" ")}.ts` };
  const errorCodes = [{ name: BREAKOUTS[0], code: -1, origin: "schema" as const }];
  return { ...plan, protocol: { ...plan.protocol, declarations, source, errorCodes } };
}
