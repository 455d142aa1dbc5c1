import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Receiver, Transport } from "@mcp-codegen/runtime";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import { StdioClientTransport, type StdioClientOptions } from "@mcp-codegen/runtime/stdio/client";
import { connectInMemory } from "@mcp-codegen/universal/server";
import { createReplay, notify, type ReplayRequest } from "../replay/replay.js";
import { readScript } from "../replay/tape-script.js";
import { createTapeWriter, type TapeHead } from "../tape/index.js";
import { secretsOf } from "../tape/tape-file.js";
import type { TestedServer } from "./test-client.js";
import type { Members } from "../tape/json-value.js";

/** A server whose conversation is recorded: a program to start, a URL, or a server in this process. */
export type TapedServer = StdioClientOptions | string | URL | TestedServer;

export interface TapeOptions {
  /** True to record the tape again. Default: true if the environment variable `UPDATE_TAPES` is set. */
  readonly update?: boolean | undefined;
  /** True to repeat the last response if a request is sent more often than it was recorded. Default: false. */
  readonly loose?: boolean | undefined;
}

/**
 * Connects to a server through a tape. If the file does not exist, or is to be updated, the conversation with the
 * real server is recorded; the file is written when the connection is closed, without times and with secrets masked.
 * Otherwise the tape takes the place of the server, and a request that the tape does not contain is rejected.
 *
 * @example
 * ```ts
 * const client = await connect(await tape("deploy.tape.jsonl", { command: "node", args: ["server.js"] }));
 * ```
 *
 * @returns a transport for `connect`
 * @throws TapeError if the file is not a tape
 */
export async function tape(
  file: string,
  server: TapedServer,
  options: TapeOptions = {},
): Promise<Transport> {
  const { update = Boolean(process.env["UPDATE_TAPES"]), loose } = options;
  if (update || !existsSync(file)) return recordTo(file, server);
  return replayOf(file, loose);
}

async function replayOf(file: string, loose: boolean | undefined): Promise<Transport> {
  const replay = createReplay(await readScript(file), { fast: true, loose });
  const [client, server] = memoryPair();
  const connection = replay.connect();
  const hint = `UPDATE_TAPES=1 records ${file} again.`;
  const receive = (message: Members): void => {
    const { id, method } = message;
    if (method === undefined) return connection.answer(message);
    if (id === undefined) return notify(connection, message);
    const request = message as unknown as ReplayRequest;
    const match = connection.find(request);
    const found = "problem" in match ? { ...match, problem: `${match.problem} ${hint}` } : match;
    void connection.play(request, found, (text) => {
      void server.send(JSON.parse(text) as Parameters<Transport["send"]>[0]);
    });
  };
  await server.start({
    message: (value) => receive(value as Members),
    malformed() {},
    failed() {},
    ended: () => void server.close(),
    closed() {},
  });
  return client;
}

async function recordTo(file: string, server: TapedServer): Promise<Transport> {
  const { transport, head } = await transportTo(server);
  let text = "";
  const options = { now: () => 0, secrets: secretsOf(process.env) };
  const writer = createTapeWriter(head, (line) => (text += line), options);
  const note = (from: "client" | "server", message: unknown): void => {
    writer.write({ from, conversation: 1, message });
  };
  const { hooks } = transport;
  const { stateless } = hooks ?? {};
  return {
    start: (receiver) => transport.start(noting(receiver, note)),
    send(frame, ...others) {
      note("client", frame);
      return transport.send(frame, ...others);
    },
    async close() {
      await transport.close();
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    ...(hooks && {
      hooks: stateless
        ? withStateless(hooks, {
            send(message, revision) {
              note("client", message);
              return stateless.send(message, revision);
            },
            cancel: (id) => stateless.cancel(id),
          })
        : hooks,
    }),
  };
}

type Hooks = NonNullable<Transport["hooks"]>;

function withStateless(hooks: Hooks, stateless: NonNullable<Hooks["stateless"]>): Hooks {
  return new Proxy(hooks, {
    get(target, name) {
      if (name === "stateless") return stateless;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

function noting(receiver: Receiver, note: (from: "server", message: unknown) => void): Receiver {
  return {
    message(value, origin) {
      note("server", value);
      receiver.message(value, origin);
    },
    malformed: (problem) => receiver.malformed(problem),
    failed: (id, error) => receiver.failed(id, error),
    ended: () => receiver.ended(),
    closed: (error) => receiver.closed(error),
  };
}

async function transportTo(
  server: TapedServer,
): Promise<{ readonly transport: Transport; readonly head: Omit<TapeHead, "tape"> }> {
  if (typeof server === "string" || server instanceof URL) {
    const head = { url: String(server), transport: "http" } as const;
    return { transport: new HttpClientTransport(server), head };
  }
  if (typeof server !== "object" || server === null) {
    throw new TypeError("tape() needs a server second: a URL, { command, args }, or an McpServer");
  }
  const head = { transport: "stdio" } as const;
  if (!("command" in server)) return { transport: await connectInMemory(server), head };
  const command = [server.command, ...(server.args ?? [])];
  return { transport: new StdioClientTransport(server), head: { ...head, command } };
}
