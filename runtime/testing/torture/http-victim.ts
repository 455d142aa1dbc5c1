import { headersOf, messageOf } from "../doctor/outgoing.js";
import { type Exchange, exchange, textOf } from "../doctor/link/exchange.js";
import { ACCEPT, type UrlTarget } from "../doctor/link/http-link.js";
import { ALIVE, openWith } from "./process-victim.js";
import { type CaseResponse, responsesIn, type TortureCase, type Victim } from "./torture-case.js";
import { isMembers, type Members, member, parsed, messagesIn } from "../tape/json-value.js";
import { roleOf, sessionRevisions, statelessRevisions } from "../checks/roles.js";

export async function openHttpVictim(target: UrlTarget, timeout: number): Promise<Victim> {
  let session: string | undefined;
  let problem: string | undefined;
  const own = (message: Members): Readonly<Record<string, string>> => {
    const isOpening = roleOf(message.method) === "initialize";
    const [revision] =
      member(message.params, "_meta") === undefined ? sessionRevisions : statelessRevisions;
    return {
      ...target.headers,
      "content-type": "application/json",
      accept: ACCEPT,
      ...(session !== undefined && { "mcp-session-id": session }),
      ...(isOpening ? {} : headersOf(revision, message)),
    };
  };
  const post = async (message: Members): Promise<Exchange | undefined> => {
    try {
      const body = JSON.stringify(message);
      return await exchange(target.url, { method: "POST", headers: own(message), body, timeout });
    } catch (error) {
      problem = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      return undefined;
    }
  };
  const request = async (
    id: string,
    method: string,
    params: Members,
  ): Promise<Members | undefined> => {
    const response = await post(messageOf(method, params, id));
    if (response === undefined) return undefined;
    session ??= response.headers["mcp-session-id"];
    return bodyMessages(await textOf(response)).find((one) => one["id"] === id);
  };
  const context = await openWith(request, async (text) => {
    const accepted = await post(JSON.parse(text) as Members);
    accepted?.cancel();
  });
  if (context === undefined) throw new Error(problem ?? "the server cannot be opened");
  return {
    context,
    async attack(pieces, one) {
      const responses: CaseResponse[] = [];
      for (const piece of pieces) {
        responses.push(...(await attackOnce(target, piece, one, own({}), timeout)));
      }
      const alive = await request(ALIVE, context.method, context.params);
      return { responses, isAlive: alive !== undefined };
    },
    memory: () => undefined,
    ended: () => undefined,
    async close() {
      if (session === undefined) return;
      const bye = await exchange(target.url, { method: "DELETE", headers: own({}) }).catch(
        () => undefined,
      );
      bye?.cancel();
    },
  };
}

async function attackOnce(
  { url }: UrlTarget,
  body: string | Uint8Array,
  { httpMethod: method = "POST", headers }: TortureCase,
  own: Readonly<Record<string, string>>,
  timeout: number,
): Promise<readonly CaseResponse[]> {
  const hasBody = method !== "GET" && method !== "TRACE";
  try {
    const all = { ...own, ...headers };
    const response = await exchange(url, {
      method,
      headers: all,
      body: hasBody ? body : undefined,
      timeout,
    });
    const { status } = response;
    const found = bodyMessages(await textOf(response)).flatMap((one) => responsesIn(one, status));
    return found.length > 0 ? found : [{ message: undefined, status }];
  } catch {
    return [{ message: undefined, status: undefined }];
  }
}

function bodyMessages(text: string): readonly Members[] {
  const texts = /^\s*[[{]/.test(text)
    ? [text]
    : text.split("\n").flatMap((one) => /^data: ?(.*)$/.exec(one)?.[1] ?? []);
  return texts.flatMap((one) => messagesIn(parsed(one)).filter(isMembers));
}
