import type { Method } from "../link/protocol.js";
import type { RevisionPlan } from "../plan/revision-plan.js";
import { type Code, code, EMPTY, join } from "./printer/code.js";
import { identifier } from "./printer/identifier.js";
import { docText } from "./printer/js-doc.js";
import { memberName } from "./printer/literal.js";

/** `interface ClientRequests { "tools/call": { params: …; result: … } }`, and the like. */
export function messageMaps({ maps }: RevisionPlan): Code {
  return join(
    maps.map(({ name, description, methods }) => {
      const rows = methods.map(
        (method) =>
          code`${memberName(method.method)}: { ${paramsEntry(method)}${resultEntry(method)} };\n`,
      );
      const body = rows.length === 0 ? code`{}` : code`{\n${rows}}`;
      return code`${docText(description)}export interface ${identifier(name)} ${body}\n\n`;
    }),
  );
}

function paramsEntry({ params }: Method): Code {
  if (params === undefined) return code`params?: undefined`;
  return code`params${params.optional ? code`?` : EMPTY}: ${identifier(params.type)}`;
}

function resultEntry({ result }: Method): Code {
  if (result === undefined) return EMPTY;
  const types = [result.type, ...result.alternatives.map(({ type }) => type)];
  return code`; result: ${join(types.map(identifier), code` | `)}`;
}
