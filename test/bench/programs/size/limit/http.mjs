import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { answerTo } from "./answer.mjs";

const http = createServer(async (request, response) => {
  const message = JSON.parse(await text(request));
  if (message.id === undefined) response.writeHead(202).end();
  else response.writeHead(200, { "Content-Type": "application/json" }).end(answerTo(message));
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
