// The full server on standard input and output.
import { StringDecoder } from "node:string_decoder";

export async function serveStdio({ fault, handle, createSession }) {
  const session = createSession();
  const { write: writes = (text) => process.stdout.write(`${text}\n`) } = fault.stdio ?? {};
  const write = (message) => {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    writes(text, message);
  };
  fault.stdio?.start?.({ write, session });
  if (fault.stdio?.signals) process.on("SIGTERM", () => {});
  let pending = "";
  const decoder = new StringDecoder();
  const receive = async (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      if (fault.stdio?.diesOfGarbage) process.exit(1);
      return;
    }
    if (message === null || typeof message !== "object") return;
    if (Array.isArray(message)) {
      if (
        (session.version !== "2025-03-26" && !fault.batches) ||
        fault.stdio?.noBatches ||
        message.length === 0
      )
        return;
      const responses = await Promise.all(message.map((one) => handle(one, session, write)));
      const answered = responses.filter((one) => one !== undefined);
      if (answered.length > 0 || fault.stdio?.answersNothing) write(answered);
      return;
    }
    const response = await handle(message, session, write);
    if (response !== undefined) write(response);
    await fault.after?.(message, { session, write, send: write });
  };
  let handled = Promise.resolve();
  const takes = (line) => {
    // A response must be read meanwhile, because a call may wait for it.
    if (fault.stdio?.inOrder && line.includes('"method"'))
      handled = handled.then(() => receive(line));
    else void receive(line);
  };
  process.stdin.on("data", (chunk) => {
    const text = fault.stdio?.cutsLetters ? String(chunk) : decoder.write(chunk);
    const lines = (pending + text).split("\n");
    pending = lines.pop();
    for (const line of lines) takes(line);
  });
  if (fault.stdio?.staysAlive) setInterval(() => {}, 1000);
}
