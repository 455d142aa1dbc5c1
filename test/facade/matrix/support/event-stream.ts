export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Yields a response's events as they arrive, without empty ones. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let rest = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = eventIn(block);
      if (event.data !== "") yield event;
    }
  }
}

function eventIn(block: string): ServerEvent {
  const fields = block.split("\n").map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
  });
  const valuesOf = (name: string): string[] =>
    fields.filter(([field]) => field === name).map(([, value]) => value);
  return { name: valuesOf("event")[0] ?? "message", data: valuesOf("data").join("\n") };
}
