// Visits one server: `visit(open)` runs the steps of the task in argv and prints the outcome of each.

const STEP = 20_000;

export function within(milliseconds, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer in ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const textOf = (error) =>
  String(error?.message ?? error)
    .replace(/\s+/g, " ")
    .slice(0, 300);

/** Error codes that clients create themselves when no response arrives. */
const own = [-32000, -32001];

const counted = (list) => ({ count: list.length, list });

/** Returns the outcome of a call that must not succeed. */
async function refusal(call) {
  try {
    const { isError } = await call;
    return isError ? "isError" : "accepted";
  } catch (error) {
    if (typeof error?.code === "number" && !own.includes(error.code)) return String(error.code);
    throw error;
  }
}

/**
 * @param open - `(target, onerror) => client`, with `revision`, `capabilities` and the calls below
 */
export async function visit(open) {
  const { target, call, read } = JSON.parse(process.argv[2]);
  const steps = {};
  const reported = [];
  const step = async (name, work, limit = STEP) => {
    try {
      const result = await within(limit, work());
      steps[name] = { ok: true, ...result };
      return result;
    } catch (error) {
      steps[name] = { ok: false, note: textOf(error) };
      return undefined;
    }
  };

  let client;
  await step(
    "connect",
    async () => {
      client = await open(target, (error) => reported.push(textOf(error)));
      return { note: client.revision };
    },
    45_000,
  );
  if (client !== undefined) {
    const { tools, resources, prompts } = client.capabilities ?? {};
    if (tools) {
      await step("tools", async () => counted(await client.tools()));
      if (call) {
        await step("call", async () => {
          const { content, isError } = await client.call(call.name, call.arguments);
          return { note: `${isError ? "isError: " : ""}${content.map(({ type }) => type).join()}` };
        });
      }
      await step("unknown tool", async () => ({
        note: await refusal(client.call("no_such_tool_here", {})),
      }));
    }
    if (resources) {
      const listed = await step("resources", async () => counted(await client.resources()));
      await step("templates", async () => counted(await client.templates()));
      const uri = read ?? listed?.list[0]?.uri;
      if (uri !== undefined) {
        await step("read", async () => {
          const { contents } = await client.read(uri);
          return { count: contents.length, note: uri };
        });
      }
    }
    if (prompts) {
      const listed = await step("prompts", async () => counted(await client.prompts()));
      const simple = listed?.list.find(({ arguments: of = [] }) => !of.some((a) => a.required));
      if (simple) {
        await step("prompt", async () => ({
          count: (await client.prompt(simple.name)).messages.length,
        }));
      }
    }
    if (client.hasPing) await step("ping", async () => void (await client.ping()));
    await step("close", async () => void (await client.close()), 10_000);
  }
  for (const one of Object.values(steps)) delete one.list;
  const answer = JSON.stringify({
    revision: client?.revision,
    steps,
    reported: [...new Set(reported)].slice(0, 3),
  });
  process.stdout.write(`${answer}\n`, () => process.exit());
}
