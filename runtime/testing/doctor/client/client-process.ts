import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { lineCopy } from "../../record/line-copy.js";
import { type Ending, type LinkEvents, passOn } from "../link/link.js";
import { openProcess, type ProcessTarget } from "../link/process-link.js";
import type { Reply, ScriptServer } from "./script-server.js";

/** A client that runs, pointed at a server of the doctor. */
export interface RunningClient {
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ending>;
  close(): Promise<Ending>;
}

/** Behaviour of the HTTP endpoint that differs from that of a server without faults. */
export interface Endpoint {
  /** Number of requests of the session after which it is no longer found. */
  readonly forgetAfter?: number;
  /** Refuses every request with 401. */
  readonly unauthorized?: boolean;
  /** Number of requests to the endpoint so far. */
  count?: number;
  /** True once a request was refused because the session is lost. */
  isLost?: boolean;
}

/** Code of a program that connects its standard input and output to a port. */
const RELAY = (port: number): string =>
  `const s=require("node:net").connect(${port},"127.0.0.1");process.stdin.pipe(s).pipe(process.stdout);s.on("close",()=>process.exit())`;

/**
 * Starts a client. `{url}` in its words is replaced with the URL of the server, the word `{server}` with a command that is the
 * server; without them, the client has the server on its standard input and output.
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
      (request, response) => void serve(request, response, serverOf, endpoint),
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

/** A client that speaks on its own standard input and output. */
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

const SESSION = "mcp-session-id";
let exchanges = 0;

/** Streamable HTTP with sessions: one POST, one response; messages of the server travel on the GET stream. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  serverOf: (isNew: boolean) => ScriptServer,
  endpoint: Endpoint,
): Promise<void> {
  endpoint.count = (endpoint.count ?? 0) + 1;
  const { method, headers, url } = request;
  if (url !== "/mcp") return void response.writeHead(404).end();
  if (endpoint.unauthorized) {
    return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const known = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value)]),
  );
  const http = { exchange: ++exchanges, method: method!, headers: known };
  const isOpening = text.includes('"initialize"');
  const server = serverOf(isOpening && endpoint.isLost === true);
  const isLost =
    endpoint.forgetAfter !== undefined &&
    endpoint.isLost !== true &&
    !isOpening &&
    server.requests.length >= endpoint.forgetAfter;
  if (isLost) {
    endpoint.isLost = true;
    return void response.writeHead(404).end();
  }
  if (method === "GET") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    server.listen((message) => void response.write(`data: ${JSON.stringify(message)}\n\n`));
    return;
  }
  if (method !== "POST") return void response.writeHead(method === "DELETE" ? 200 : 405).end();
  let isAnswered = false;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    server.text(text);
    return void response.writeHead(400).end();
  }
  const answers: object[] = [];
  server.receive(value, text, (message) => answers.push(message), { http });
  isAnswered = answers.length > 0;
  if (!isAnswered) return void response.writeHead(202).end();
  const session = isOpening ? { [SESSION]: `doctor-${server.number}` } : {};
  const body = JSON.stringify(Array.isArray(value) ? answers : answers[0]);
  response.writeHead(200, { "content-type": "application/json", ...session }).end(body);
}
