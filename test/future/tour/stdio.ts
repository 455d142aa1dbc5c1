import { serveStdio } from "@mcp-codegen/universal";
import { tourServer } from "./server.js";

await serveStdio(tourServer());
