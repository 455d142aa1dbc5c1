import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { lineCopy } from "../../record/line-copy.js";
import { listenLocally } from "../../record/local-http.js";
import { type Ending, halves, type LinkEvents, passOn, pause } from "../link/link.js";
import { openProcess, type ProcessTarget } from "../link/process-link.js";
import { type Endpoint, serveRequest } from "./http-endpoint.js";
import type { Channel, Reply, ScriptServer, ServerOf } from "./script-server.js";

export interface RunningClient {
  readonly ended: Promise<Ending>;
  close(): Promise<Ending>;
}

/** Returns the code of a program that connects its standard input and output to a port. */
const RELAY = (port: number): string =>
  `const s=require("node:net").connect(${port},"127.0.0.1");process.stdin.pipe(s).pipe(process.stdout);s.on("close",()=>process.exit())`;

/**
 * Starts a client. `{url}` is replaced by the server's URL wherever it appears in the command. Otherwise, each
 * `{server}` argument is replaced by a command that relays standard input and output to the server in this process.
 * With neither, the client communicates with the server over its own standard input and output.
 */
export async function startClient(
  target: ProcessTarget,
  serverOf: ServerOf,
  endpoint: Endpoint = {},
): Promise<RunningClient> {
  const { command } = target;
  const usesUrl = command.some((word) => word.includes("{url}"));
  const usesServer = command.includes("{server}");
  if (usesUrl) {
    const { origin, close } = await listenLocally(0, (request, response) =>
      serveRequest(request, response, serverOf, endpoint),
    );
    const words = command.map((word) => word.replaceAll("{url}", `${origin}/mcp`));
    return run({ ...target, command: words }, close);
  }
  if (usesServer) {
    const socket = createServer((connection) => {
      const server = serverOf(true);
      const send = writerOf((bytes) => void connection.write(bytes), endpoint);
      server.listen(send);
      connection.on("error", () => {});
      const events = eventsOf(server, send);
      const lines = lineCopy((line, framing) => passOn(line, events, framing && { framing }));
      connection.on("data", (chunk: Buffer) => lines.add(chunk));
      connection.on("end", () => lines.end());
    });
    socket.listen(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address() as AddressInfo;
    const words = command.flatMap((word) =>
      word === "{server}" ? [process.execPath, "-e", RELAY(port)] : [word],
    );
    return run({ ...target, command: words }, () => socket.close());
  }
  return onOwnStreams(target, serverOf(true), endpoint);
}

/** The time between the two pieces of a message, in milliseconds. */
const PIECES_APART = 20;

/**
 * Returns a function that writes messages, one on each line. For an unusual server, it writes each message in two
 * pieces, divided within its last multi-byte character. That character is often in a value that clients repeat, such as
 * a cursor.
 */
function writerOf(write: (bytes: Uint8Array) => void, { isOdd = false }: Endpoint): Channel {
  let last: Promise<unknown> = Promise.resolve();
  return (message) => {
    const line = `${JSON.stringify(message)}\n`;
    if (!isOdd) return write(Buffer.from(line));
    const [first, second] = halves(line, "last");
    last = last.then(async () => {
      write(first);
      await pause(PIECES_APART);
      write(second);
    });
  };
}

/** The time in which a client must exit after its input has ended, in milliseconds. */
const GRACE = 500;

const NO_EVENTS: LinkEvents = { message() {}, text() {}, empty() {}, ended() {} };

function run(target: ProcessTarget, release: () => unknown): RunningClient {
  const { ended, close } = openProcess(target, NO_EVENTS, GRACE);
  return {
    ended,
    async close() {
      const ending = await close("eof");
      await release();
      return ending;
    },
  };
}

function onOwnStreams(
  target: ProcessTarget,
  server: ScriptServer,
  endpoint: Endpoint,
): RunningClient {
  const send = writerOf((bytes) => void link.write?.(bytes), endpoint);
  const link = openProcess(target, { ...NO_EVENTS, ...eventsOf(server, send) }, GRACE);
  server.listen(send);
  return { ended: link.ended, close: () => link.close("eof") };
}

function eventsOf(server: ScriptServer, send: Reply): Pick<LinkEvents, "message" | "text"> {
  return {
    message: (value, text, around) => server.receive(value, text, send, around),
    text: (text, around) => server.text(text, around),
  };
}
