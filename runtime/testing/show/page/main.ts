import { openTape, type TapeLine, type TapeSource } from "../../tape/index.js";
import { type App, openApp } from "./app.js";
import { h, plain } from "./dom.js";

/** The number of lines that are added at once while a tape is being read. */
const AT_ONCE = 2_000;

async function show(source: TapeSource, name: string, isLive = false): Promise<void> {
  let app: App | undefined;
  try {
    const tape = await openTape(source);
    app = openApp(tape.head, (tape.head as { file?: string }).file ?? name, isLive);
    let lines: TapeLine[] = [];
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const pass = (): void => {
      clearTimeout(waiting);
      waiting = undefined;
      app?.add(lines);
      lines = [];
    };
    for await (const line of tape) {
      lines.push(line);
      if (isLive) waiting ??= setTimeout(pass, 100);
      else if (lines.length >= AT_ONCE) pass();
    }
    pass();
    app.end();
  } catch (error) {
    const message = `${(error as Error).message}.`;
    if (app === undefined) start(message);
    else app.end(message);
  }
}

function openFile(files: FileList | null | undefined): void {
  const file = files?.[0];
  if (file) void show(file.stream() as unknown as TapeSource, file.name);
}

function start(problem?: string): void {
  const input = h("input", {
    type: "file",
    id: "file",
    accept: ".jsonl",
    onchange: () => openFile((input as HTMLInputElement).files),
  });
  document.body.replaceChildren(
    h(
      "main.start",
      h("h1", "Tape viewer"),
      h("p", "Drop a tape here: a file that mcp-codegen record has written, such as a.tape.jsonl."),
      problem !== undefined && h("p.wrong", { role: "alert" }, plain(problem, 500)),
      h("p", h("label", { for: "file" }, "Or choose one: "), input),
      h("p.dim", "It is read in this page, and sent nowhere."),
    ),
  );
}

document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  openFile(event.dataTransfer?.files);
});

/** Shows a tape while it is being recorded. The token comes from the fragment of the page's URL. */
async function follow(token: string): Promise<void> {
  const response = await fetch("tape", { headers: { authorization: `Bearer ${token}` } });
  if (response.ok && response.body) {
    const status = h("p.status", { role: "status" }, "Waiting for the tape");
    document.body.replaceChildren(h("main.start", h("h1", "Tape viewer"), status));
    return show(response.body as unknown as TapeSource, "tape", true);
  }
  start(`The server refuses to show the tape: ${response.status} ${response.statusText}.`);
}

const data = document.getElementById("tape")?.textContent ?? "";
const token = location.protocol === "http:" ? location.hash.slice(1) : "";
if (data.trim() !== "") void show([data], "tape");
else if (token !== "") follow(token).catch(() => start("The server of this page is gone."));
else start();
