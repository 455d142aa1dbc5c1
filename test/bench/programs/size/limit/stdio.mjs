import { createInterface } from "node:readline";
import { answerTo } from "./answer.mjs";

createInterface(process.stdin).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id !== undefined) process.stdout.write(`${answerTo(message)}\n`);
});
