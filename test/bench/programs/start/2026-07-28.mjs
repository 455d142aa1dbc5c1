import { Server } from "@mcp-codegen/2026-07-28";
import { Tools } from "@mcp-codegen/2026-07-28/features";
import { serveTools } from "./serve-tools.mjs";

await serveTools(Server, Tools);
