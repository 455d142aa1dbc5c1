import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { lineCopy } from "../../record/line-copy.js";
import { type Ending, type LinkEvents, passOn } from "../link/link.js";
import { openProcess, type ProcessTarget } from "../link/process-link.js";
import { type Endpoint, serveRequest } from "./http-endpoint.js";
import type { Reply, ScriptServer } from "./script-server.js";

/** A running client that is connected to a server of the doctor. */
export interface RunningClient {
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ending>;
  close(): Promise<Ending>;
}

/** Code of a program that connects its standard input and output to a port. */
const RELAY = (port: number): string =>
  `const s=require("node:net").connect(${port},"127.0.0.1");process.stdin.pipe(s).pipe(process.stdout);s.on("close",()=>process.exit())`;

/**
 * Starts a client. In its arguments, `{url}` is replaced with the URL of the server, and `{server}`
 * with a command that runs the server; without either, the client is connected to the server by its
 * standard input and output.
 */
export async function startClient(
  target: ProcessTarget,
  serverOf: (isNew: boolean) => ScriptServer,
  endpoint: Endpoint = {},
): Promise<RunningClient> {
  const { command } = target;
  const usesUrl = command.some((word) => word.includes("{url}"));
  const usesServer = command.includes("{server}");
  if (usesUrl) {
    const http = createHttp(
      (request, response) => void serveRequest(request, response, serverOf, endpoint),
    );
    const port = await listening(http);
    const words = command.map((word) => word.replaceAll("{url}", `http://127.0.0.1:${port}/mcp`));
    return run({ ...target, command: words }, NO_EVENTS, () => http.closeAllConnections(), http);
  }
  if (usesServer) {
    const socket = createSocket((connection) => {
      const server = serverOf(true);
      const send = (message: object): void => void connection.write(`${JSON.stringify(message)}\n`);
      server.listen(send);
      connection.on("error", () => {});
      const events = eventsOf(server, send);
      const lines = lineCopy((line, framing) => passOn(line, events, framing && { framing }));
      connection.on("data", (chunk: Buffer) => lines.add(chunk));
      connection.on("end", () => lines.end());
    });
    const port = await listening(socket);
    const words = command.flatMap((word) =>
      word === "{server}" ? [process.execPath, "-e", RELAY(port)] : [word],
    );
    return run({ ...target, command: words }, NO_EVENTS, () => {}, socket);
  }
  return onOwnStreams(target, serverOf(true));
}

const NO_EVENTS: LinkEvents = { message() {}, text() {}, empty() {}, ended() {} };

function run(
  target: ProcessTarget,
  events: LinkEvents,
  release: () => void,
  listener: { close(): unknown },
): RunningClient {
  const { ended, close } = openProcess(target, events, 500);
  return {
    ended,
    async close() {
      const ending = await close("eof");
      release();
      listener.close();
      return ending;
    },
  };
}

/** A client that communicates over its own standard input and output. */
function onOwnStreams(target: ProcessTarget, server: ScriptServer): RunningClient {
  const send = (message: object): void => void link.send(JSON.stringify(message));
  const link = openProcess(target, { ...NO_EVENTS, ...eventsOf(server, send) }, 500);
  server.listen(send);
  return { ended: link.ended, close: () => link.close("eof") };
}

function eventsOf(server: ScriptServer, send: Reply): Pick<LinkEvents, "message" | "text"> {
  return {
    message: (value, text, around) => server.receive(value, text, send, around),
    text: (text, around) => server.text(text, around),
  };
}

async function listening(server: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): unknown;
}): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
