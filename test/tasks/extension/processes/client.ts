import { connect } from "@mcp-codegen/universal";
import { clientTasks } from "@mcp-codegen/universal/tasks";

const [url = "", tool = ""] = process.argv.slice(2);
const tasks = clientTasks();
const onElicit = (): Promise<never> => new Promise(() => {});
await connect(url, { extensions: [tasks], onElicit });
const task = await tasks.startTool(tool);
console.log(JSON.stringify({ event: "started", task }));
await task.result();
