import { bridge } from "@mcp-codegen/bridge";
import { behind } from "./behind.mjs";
import { serve } from "./serve-ours.mjs";

const [command, ...args] = behind;
await serve(await bridge({ command, args }));
