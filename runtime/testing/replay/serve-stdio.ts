import type { Readable, Writable } from "node:stream";
import { lineCopy } from "../record/line-copy.js";
import { notify, type Replay, type ReplayRequest } from "./replay.js";

/** Serves a replay over two streams, until the client closes its own. */
export async function serveReplay(
  replay: Replay,
  input: Readable,
  output: Writable,
): Promise<void> {
  const connection = replay.connect();
  let isGone = false;
  output.on("error", () => (isGone = true));
  const send = (text: string): void => {
    if (!isGone) output.write(`${text}\n`);
  };
  const lines = lineCopy((line, framing) => {
    if (framing === "empty line") return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return send(
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"This is not JSON."}}',
      );
    }
    for (const one of Array.isArray(message) ? message : [message]) receive(one);
  });
  const receive = (message: Record<string, unknown>): void => {
    const { id, method } = message;
    if (method === undefined) connection.answer(message);
    else if (id !== undefined) {
      const request = message as unknown as ReplayRequest;
      void connection.play(request, connection.find(request), send);
    } else notify(connection, message);
  };
  for await (const chunk of input as AsyncIterable<Buffer>) lines.add(chunk);
  lines.end();
}
