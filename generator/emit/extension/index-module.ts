import type { ExtensionPlan, MessageConstant } from "../../plan/extension-plan.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { type Code, code, join } from "../printer/code.js";
import { identifier } from "../printer/identifier.js";
import { docText } from "../printer/js-doc.js";
import { literal, memberName, objectKey } from "../printer/literal.js";
import { printModule } from "../printer/module.js";
import { importValue } from "../printer/symbol.js";
import { additionTypes, additionValues } from "./additions.js";
import { header } from "./header.js";

/** index.ts: the package's surface, and the extension as one value. */
export function emitIndex(plan: ExtensionPlan): OutputFile {
  const { id, messages } = plan;
  const ofKind = (kind: MessageConstant["method"]["kind"]): MessageConstant[] =>
    messages.filter(({ method }) => method.kind === kind);
  const requests = ofKind("request");
  const notifications = ofKind("notification");
  const doc = docText(
    `The extension \`${id}\`: for \`registerExtension()\` of a server, and the option \`extensions\` of a client.`,
  );
  const body = code`export * from "./messages.js";
export * from "./types.js";
export * as validators from "./validators.js";

${doc}export const extension: {
  readonly id: ${literal(id)};
  readonly requests: ${types(requests)};
  readonly notifications: ${types(notifications)};${additionTypes(plan)}
} = {
  id: ${literal(id)},
  requests: ${values(requests)},
  notifications: ${values(notifications)},${additionValues(plan)}
};`;
  return { path: "index.ts", text: printModule(header(plan), body) };
}

function types(messages: readonly MessageConstant[]): Code {
  const members = messages.map(
    ({ name, method }) => code`readonly ${memberName(method.method)}: typeof ${identifier(name)};`,
  );
  return braces(members);
}

function values(messages: readonly MessageConstant[]): Code {
  const members = messages.map(
    ({ name, method }) => code`${objectKey(method.method)}: ${importValue(name, "./messages.js")},`,
  );
  return braces(members);
}

function braces(members: readonly Code[]): Code {
  return members.length === 0 ? code`{}` : code`{\n${join(members, code`\n`)}\n}`;
}
