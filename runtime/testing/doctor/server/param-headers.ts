import { encodedHeader } from "../outgoing.js";
import { ask, codeOf, showAnswer, type TimedCall, type Visit } from "../visit.js";

/** Calls a tool with wrong, missing and equivalent values in each header that mirrors an argument. */
export async function examineParamHeaders(
  visit: Visit,
  { method, params, headers }: TimedCall,
): Promise<void> {
  const fields = Object.entries(headers);
  const [first] = fields;
  if (first === undefined || visit.conversation.transport !== "http") return;
  const code = visit.revision.errorCodes["HEADER_MISMATCH"];
  const [name, text] = first;
  const encoded = Buffer.from(`${text}é`).toString("base64");
  const wrong = [
    ...fields.flatMap(([field, value]) => [
      [field, undefined, `there is no ${field}`] as const,
      [field, otherThan(value), `${field} is another value`] as const,
    ]),
    [name, `=?base64?${encoded.slice(0, 4)}!!!!?=`, `${name} has other characters than Base64`],
  ] as const;
  for (const [field, other, why] of wrong) {
    const { [field]: _, ...others } = headers;
    const changed = other === undefined ? others : { ...others, [field]: other };
    const answer = await ask(visit, method, params, { headers: changed });
    if (answer === undefined) continue;
    const isRefused = visit.expect("http-mismatch", codeOf(answer) === code, {
      pointer: "/http/status",
      received: showAnswer(answer),
      expected: `400 with the error ${code}, as ${why}`,
    });
    if (!isRefused) return;
  }
  const number = fields.find(([, value]) => NUMBER.test(value));
  const plain = fields.find(([, value]) => !value.startsWith("=?"));
  const right = [
    ...(plain ? [["http-encoded", plain[0], encodedHeader(plain[1]), "in Base64"] as const] : []),
    ...(number
      ? [["http-header-forms", number[0], `${number[1]}.0`, "as the same number"] as const]
      : []),
  ];
  for (const [id, field, other, how] of right) {
    const answer = await ask(visit, method, params, { headers: { ...headers, [field]: other } });
    if (answer === undefined) continue;
    const isRead = visit.expect(id, codeOf(answer) !== code, {
      pointer: "/http/status",
      received: showAnswer(answer),
      expected: `an answer, as ${field} is the argument ${how}`,
    });
    if (!isRead) return;
  }
}

const NUMBER = /^-?\d+$/;

/** Returns another value of the same type. */
function otherThan(value: string): string {
  if (NUMBER.test(value)) return String(BigInt(value) + 1n);
  if (value === "true" || value === "false") return String(value !== "true");
  return `${value}-other`;
}
