import { createHttpHandler, serveStdio } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { type Context, type Outcome, type Values, suggest, usageError } from "mcp-codegen/cli";
import { readLock } from "../lock/read-lock.js";
import { mockServer } from "../mock/mock-server.js";

/** `contract mock`: serves a contract with made-up answers until it is stopped. */
export async function runContractMock(
  values: Values,
  { diagnostics, progress }: Context,
): Promise<Outcome | undefined> {
  const port = values.number("port");
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
    diagnostics.add(usageError("--port must be a whole number from 0 to 65535."));
  }
  if (diagnostics.hasErrors) return undefined;
  const file = values.text("lock")!;
  const lock = readLock(file, diagnostics);
  if (lock === undefined) return undefined;
  const all = Object.keys(lock.servers);
  const name = values.text("name") ?? (all.length === 1 ? all[0]! : undefined);
  if (name === undefined || !Object.hasOwn(lock.servers, name)) {
    const message =
      name === undefined ? "Say which server." : `${file} has no server ${JSON.stringify(name)}.`;
    diagnostics.add(
      usageError(message, suggest(name ?? "", all) ?? `There are: ${all.join(", ")}.`),
    );
    return undefined;
  }
  const server = mockServer(name, lock.servers[name]!, values.text("seed") ?? "0");
  progress.end();
  if (port === undefined) {
    // From here on, standard output belongs to the protocol.
    await serveStdio(server);
    await server.closed;
    return undefined;
  }
  const http = await listen(createHttpHandler(server), { port }).catch((error: Error) => {
    diagnostics.add({
      code: "MCG7020",
      severity: "error",
      message: `Cannot listen: ${error.message}.`,
    });
  });
  if (http === undefined) return undefined;
  process.stderr.write(`Mock of ${name} at ${http.url}; stop it with Ctrl+C\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await http.close();
  return undefined;
}
