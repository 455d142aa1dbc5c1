import { connect } from "@mcp-codegen/universal";
import { revisionOf } from "./revisions.js";
import { clientTasks } from "@mcp-codegen/universal/tasks";

const [url = "", tool = "", revision = ""] = process.argv.slice(2);
const tasks = clientTasks();
const onElicit = (): Promise<never> => new Promise(() => {});
await connect(url, { extensions: [tasks], onElicit, revisions: revisionOf(revision) });
const task = await tasks.startTool(tool);
console.log(JSON.stringify({ event: "started", task }));
await task.result();
