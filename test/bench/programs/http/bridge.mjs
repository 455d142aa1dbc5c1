import { bridge } from "@mcp-codegen/bridge";
import { behind } from "./behind.mjs";
import { serve } from "./serve-ours.mjs";

const [command, ...args] = behind;
const revisions = [process.env.REVISION];
await serve(await bridge({ command, args }, { connect: { revisions } }));
