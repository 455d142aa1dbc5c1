import type { Readable, Writable } from "node:stream";
import { lineCopy } from "../record/line-copy.js";
import { notify, type Replay, type ReplayRequest } from "./replay.js";
import { parsed, messagesIn, isMembers, type Members } from "../tape/json-value.js";

/** Serves a replay over two streams until the client ends the input. */
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
    const message = parsed(line);
    if (message === undefined) return send(NOT_JSON);
    for (const one of messagesIn(message)) if (isMembers(one)) receive(one);
  });
  const receive = (message: Members): void => {
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

const NOT_JSON =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"This is not JSON."}}';
