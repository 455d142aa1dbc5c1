import { setImmediate } from "node:timers";
import type { Revision } from "@mcp-codegen/runtime";
import { connect, type ConnectOptions, type McpClient } from "@mcp-codegen/universal/client";
import {
  connectInMemory,
  type Connectable,
  type ServerObserver,
} from "@mcp-codegen/universal/server";
import type { TapeLine } from "../tape/index.js";
import { createScript, type Question, type ScriptedAnswer } from "./script.js";
import { revisions } from "@mcp-codegen/universal/revisions";

/** A server to test, such as an `McpServer`. */
export interface TestedServer extends Connectable {
  observe?(observer: ServerObserver): () => void;
}

export interface TestClientOptions extends Omit<
  ConnectOptions,
  "onElicit" | "onSample" | "onRoots" | "revisions" | "onerror"
> {
  /** The revision to use, or its id. Default: the newest. */
  readonly revision?: Revision | string | undefined;
  /**
   * The answers to the server's requests, in order. If this option is present, even if empty, the client declares
   * elicitation, sampling and roots. A request without an answer, or an answer without a request, then fails the test.
   */
  readonly answers?: readonly ScriptedAnswer[] | undefined;
  /** False to ignore values that the revision cannot express. Default: true, which makes them fail the test. */
  readonly failOnLoss?: boolean | undefined;
  /**
   * False to ignore errors that no caller receives, such as those in a notification handler. Default: true, which makes
   * them fail the test.
   */
  readonly failOnError?: boolean | undefined;
}

/**
 * A client for tests. Its requests and `close()` reject with a `TestClientError` if a problem occurred that the test
 * did not expect. `await using` reports such a problem as an uncaught error after the test, and never hides the error
 * of the test.
 */
export type TestClient = McpClient & {
  /** The requests that the client has received from the server, in order. */
  readonly questions: readonly Question[];
  /** The messages from both sides so far, as tape lines. */
  readonly lines: readonly TapeLine[];
};

/** An error that is thrown for problems in a conversation that the test did not expect. */
export class TestClientError extends Error {
  override readonly name: string = "TestClientError";
  /** The problems, each as a sentence. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], cause?: unknown) {
    super(problems.join("\n"), cause === undefined ? undefined : { cause });
    this.problems = problems;
  }
}

/**
 * Connects a client to a server in this process.
 *
 * @example
 * ```ts
 * await using client = await testClient(createServer(), {
 *   revision: "2025-06-18",
 *   answers: [{ action: "accept", content: { name: "Ada" } }],
 * });
 * ```
 *
 * @throws TypeError if no bundled revision has that id
 */
export async function testClient(
  server: TestedServer,
  options: TestClientOptions = {},
): Promise<TestClient> {
  const {
    revision,
    answers,
    failOnLoss = true,
    failOnError = true,
    sending = [],
    ...others
  } = options;
  const problems: string[] = [];
  let cause: unknown;
  const note = (problem: string, error?: unknown): void => {
    problems.push(problem);
    cause ??= error;
  };
  let hasThrown = false;
  const check = (): void => {
    if (problems.length === 0) return;
    hasThrown = true;
    throw new TestClientError(problems.splice(0), cause);
  };
  const stop = server.observe?.({
    ...(failOnError && { onerror: (error) => note(`The server failed: ${error.message}`, error) }),
    ...(failOnLoss && {
      onloss: ({ revision: id, method, path, reason }) =>
        note(`${id} cannot express ${method} ${path === "" ? "" : `at ${path}`}: ${reason}`),
    }),
  });
  const script = createScript(answers ?? [], note);
  const lines: TapeLine[] = [];
  const start = performance.now();
  const transport = await connectInMemory(server, {
    ontext(text, from) {
      const side = from === 0 ? "client" : "server";
      const t = Math.round((performance.now() - start) * 10) / 10;
      lines.push({
        n: lines.length + 1,
        t,
        from: side,
        conversation: 1,
        message: JSON.parse(text),
      });
    },
  });
  const client = await connect(transport, {
    ...others,
    ...(answers && script.handlers),
    revisions: [revisionOf(revision)],
    onerror: (error) => {
      if (failOnError) note(`The client failed: ${error.message}`, error);
    },
    sending: [
      async (_, send) => {
        const result = await send();
        check();
        return result;
      },
      ...sending,
    ],
  });
  const { close: closeClient } = client;
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await closeClient.call(client);
    stop?.();
    script.finish();
    check();
  };
  /** Closes the client without throwing, because an error of disposal hides the error that has ended the block. */
  const dispose = async (): Promise<void> => {
    const isKnown = hasThrown;
    await close().catch((error: unknown) => {
      if (!isKnown) setImmediate(() => raise(error));
    });
  };
  const own = { questions: script.questions, lines, close, [Symbol.asyncDispose]: dispose };
  for (const name of Reflect.ownKeys(own)) {
    Object.defineProperty(client, name, { value: own[name as keyof typeof own] });
  }
  return client as TestClient;
}

function raise(error: unknown): never {
  throw error;
}

function revisionOf(given: Revision | string | undefined): Revision {
  if (typeof given === "object") return given;
  const found = given === undefined ? revisions[0] : revisions.find(({ id }) => id === given);
  if (found !== undefined) return found;
  const known = revisions.map(({ id }) => id).join(", ");
  throw new TypeError(`There is no revision ${given}: the bundled ones are ${known}`);
}
