import { onTestFinished } from "vitest";
import { bridge, type BridgeOptions } from "@mcp-codegen/bridge";
import { listen } from "@mcp-codegen/runtime/http/node";
import { connect, type ConnectOptions, createHttpHandler } from "@mcp-codegen/universal";
import { only } from "./stage.js";

/** Serves over HTTP. The principal of a request is its bearer token. */
export async function overHttp(
  behind: Parameters<typeof bridge>[0],
  options: BridgeOptions = {},
): Promise<string> {
  const server = await bridge(behind, { onerror: () => {}, ...options });
  const http = await listen(
    createHttpHandler(server, {
      authenticate: ({ header }) => {
        const [, principal] = /^Bearer (.+)$/.exec(header("authorization") ?? "") ?? [];
        return principal === undefined ? "anonymous" : { principal };
      },
    }),
  );
  onTestFinished(async () => {
    await http.close();
    await server.close();
  });
  return http.url;
}

/** Connects a person who answers forms with their name. */
export async function caller(
  url: string,
  id: string,
  name: string,
  { principal = name, ...options }: ConnectOptions & { readonly principal?: string } = {},
) {
  const requested: string[] = [];
  const client = await connect(url, {
    revisions: only(id),
    eras: false,
    headers: { authorization: `Bearer ${principal}` },
    onElicit: ({ message }) => {
      requested.push(message);
      return { action: "accept", content: { text: name } };
    },
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, requested, name };
}
