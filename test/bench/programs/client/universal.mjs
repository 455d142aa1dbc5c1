import assert from "node:assert/strict";
import { connect } from "@mcp-codegen/universal/client";
import { args, isStateless, measure, server } from "./measure.mjs";

const client = await connect(server);
assert.equal(client.revision, isStateless ? "2026-07-28" : "2025-11-25");
await measure(() => client.callTool("echo", args));
