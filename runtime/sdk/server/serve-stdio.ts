import type { RequestId, Transport as RuntimeTransport } from "@mcp-codegen/runtime";
import { serveStdio as serveNative } from "@mcp-codegen/runtime/stdio";
import {
  INTERNAL_ERROR,
  NativeTransport,
  runtimeTransport,
  type Transport,
} from "../shared/index.js";
import type { McpServerFactory } from "./create-mcp-handler.js";
import { HeldTransport } from "./held-transport.js";
import type { McpServer } from "./mcp-server.js";
import { isStatelessMessage } from "./request-era.js";
import { SeparateProgress } from "./wrapped-transports.js";
import type { Server } from "./server.js";

/** Options for serving on standard input and output. */
export interface ServeStdioOptions {
  /** The transport to use instead of standard input and output. */
  transport?: Transport | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** Accepted but has no effect: older clients are always served. */
  legacy?: "serve" | "reject" | undefined;
}

/** Running service. */
export interface StdioServerHandle {
  close(): Promise<void>;
}

/**
 * Serves one client on standard input and output. The factory creates the server once the first message has shown the
 * kind of conversation. The process ends with the client; `console.log` is redirected to standard error.
 */
export function serveStdio(
  source: McpServerFactory | McpServer | Server,
  options: ServeStdioOptions = {},
): StdioServerHandle {
  const { transport, onerror = report } = options;
  let server: McpServer | Server | undefined;
  let held: HeldTransport | undefined;
  const serve = async (native: RuntimeTransport): Promise<void> => {
    const own = new HeldTransport(new SeparateProgress(native));
    held = own;
    await own.open();
    void own.first.then(async (first) => {
      try {
        const era = isStatelessMessage(first?.message) ? "modern" : "legacy";
        server = typeof source === "function" ? await source({ era }) : source;
        await server.connect(new NativeTransport(own));
      } catch (error) {
        onerror(error as Error);
        await refuse(own, first?.message).catch(onerror);
        await own.close();
      }
    });
  };
  let end!: (error: Error | undefined) => void;
  const closed = new Promise<Error | undefined>((resolve) => {
    end = resolve;
  });
  const connect = async (native: RuntimeTransport): Promise<void> => {
    await serve(native);
    void held!.closed.then(end);
  };
  const started = transport
    ? connect(runtimeTransport(transport))
    : serveNative({ closed, connect });
  started.catch(onerror);
  return {
    close: async () => {
      await (server ? server.close() : held?.close());
    },
  };
}

async function refuse(transport: HeldTransport, message: unknown): Promise<void> {
  const { method, id } = (message ?? {}) as { readonly method?: unknown; readonly id?: RequestId };
  if (method === undefined || id === undefined) return;
  const error = { code: INTERNAL_ERROR, message: "Internal server error" };
  await transport.send({ jsonrpc: "2.0", id, error });
}

function report(error: Error): void {
  console.error(`Serving failed: ${error.message}`);
}
