import { createServer, request as httpRequest } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A proxy that forwards each request to the next of several servers. It passes streams on as they arrive. */
export interface RoundRobin {
  readonly url: string;
  close(): Promise<void>;
}

/** @param targets - URLs of the servers */
export async function roundRobin(targets: readonly string[]): Promise<RoundRobin> {
  let turn = 0;
  const server = createServer((request, response) => {
    const target = new URL(targets[turn++ % targets.length]!);
    const { method, headers } = request;
    const onward = httpRequest({
      host: target.hostname,
      port: target.port,
      path: request.url,
      method,
      headers,
    });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    onward.on("error", () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(targets[0]!).pathname}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
