import { StdioServerTransport as NativeStdio } from "@mcp-codegen/runtime/stdio";
import type { Readable, Writable } from "node:stream";
import { NativeTransport } from "../shared/index.js";
import { SeparateProgress } from "./wrapped-transports.js";

/** A server transport on standard input and output, for one client. */
export class StdioServerTransport extends NativeTransport {
  constructor(input?: Readable, output?: Writable) {
    super(
      new SeparateProgress(
        new NativeStdio({
          ...(input ? { input } : {}),
          ...(output ? { output } : {}),
        } as never),
      ),
    );
  }
}

export { serveStdio, type ServeStdioOptions, type StdioServerHandle } from "./serve-stdio.js";
