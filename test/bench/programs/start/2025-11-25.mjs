import { Server } from "@mcp-codegen/2025-11-25";
import { Tools } from "@mcp-codegen/2025-11-25/features";
import { serveTools } from "./serve-tools.mjs";

await serveTools(Server, Tools);
