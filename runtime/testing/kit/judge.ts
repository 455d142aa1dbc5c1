import { InvalidMessageError } from "@mcp-codegen/runtime";
import type { OuterTarget } from "../doctor/conversation.js";
import { concludeFindings, type DoctorFinding } from "../doctor/findings.js";
import { examineServer, type ExamineOptions } from "../doctor/server/examine-server.js";
import type { TestClient, TestedServer } from "./test-client.js";

export interface JudgeClientOptions {
  /** The side to judge. Default: the server. */
  readonly from?: "client" | "server" | undefined;
  /** True to return hints as well. A hint is advice that no specification states. Default: false. */
  readonly hints?: boolean | undefined;
}

/**
 * Checks the messages that the server of a test client has sent so far, and returns the findings.
 *
 * @example
 * ```ts
 * await using client = await testClient(createServer());
 * expect(judge(client)).toEqual([]);
 * ```
 */
export function judge(
  client: Pick<TestClient, "lines">,
  options?: JudgeClientOptions,
): readonly DoctorFinding[];
/**
 * Examines a server as the doctor does, and returns the findings. The server is in this process, a command or a URL.
 *
 * @example
 * ```ts
 * expect(await judge(createServer(), { calls: [{ tool: "add", arguments: { a: 1, b: 2 } }] })).toEqual([]);
 * ```
 */
export function judge(
  server: TestedServer | OuterTarget,
  options?: ExamineOptions,
): Promise<readonly DoctorFinding[]>;
export function judge(
  subject: Pick<TestClient, "lines"> | TestedServer | OuterTarget,
  options: JudgeClientOptions & ExamineOptions = {},
): readonly DoctorFinding[] | Promise<readonly DoctorFinding[]> {
  if ("lines" in subject) {
    const { from = "server", hints = false } = options;
    return concludeFindings(subject.lines, [], { from, hints });
  }
  if ("url" in subject || "command" in subject) return examine(subject, options);
  const stop = silence(subject);
  return examine({ server: subject }, options).finally(stop);
}

async function examine(
  target: OuterTarget | { readonly server: TestedServer },
  options: ExamineOptions,
): Promise<readonly DoctorFinding[]> {
  return (await examineServer(target, options)).findings;
}

/** Stops a server from printing the invalid messages that the examination sends. Returns a function that undoes it. */
function silence(server: TestedServer): (() => void) | undefined {
  try {
    return server.observe?.({ onerror: print });
  } catch {
    // A server that is connected already cannot be observed.
    return undefined;
  }
}

function print(error: Error): void {
  if (!(error instanceof InvalidMessageError)) console.error(error.cause ?? error);
}
