import {
  errors,
  ID,
  line,
  refused,
  request,
  responseCount,
  results,
  silent,
  type TortureCase,
} from "./torture-case.js";

const encoder = new TextEncoder();
const MIB = 1024 * 1024;

export const FRAMING_CASES: readonly TortureCase[] = [
  {
    id: "not-json",
    sentence: "A text that is not JSON is refused.",
    transport: "both",
    pieces: () => ["this is not JSON\n"],
    judge: errors(-32700, -32600),
  },
  {
    id: "cut-json",
    sentence: "A message that breaks off is refused, and the next line is read.",
    transport: "both",
    pieces: () => ['{"jsonrpc":"2.0","id":"torture","method":\n'],
    judge: errors(-32700, -32600),
  },
  {
    id: "not-a-message",
    sentence: "JSON that is not a message is refused.",
    transport: "both",
    pieces: () => ["{}\n", "42\n", '"text"\n', "null\n", "true\n"],
    judge: errors(-32600, -32700),
  },
  {
    id: "single-bytes",
    sentence: "A message that arrives byte by byte is read once.",
    transport: "stdio",
    pieces(context) {
      const bytes = encoder.encode(line(request(context, ID, { text: "äöü 😀" })));
      return Array.from(bytes, (byte) => Uint8Array.of(byte));
    },
    judge: results(1),
  },
  {
    id: "thousand-at-once",
    sentence: "A thousand requests in one write are all answered.",
    transport: "stdio",
    pieces: (context) => [
      Array.from({ length: 1000 }, (_, index) => line(request(context, `torture-${index}`))).join(
        "",
      ),
    ],
    judge: responseCount(1000),
  },
  {
    id: "long-message",
    sentence: "A message of 8 MiB is answered or refused.",
    transport: "both",
    pieces: (context) => [line(request(context, ID, { text: "x".repeat(8 * MIB) }))],
    memory: 512,
  },
  {
    id: "endless-line",
    sentence: "A line of 48 MiB does not fill the memory.",
    transport: "stdio",
    pieces: () => [...Array.from({ length: 48 }, () => "x".repeat(MIB)), "\n"],
    judge: refused,
    memory: 512,
  },
  {
    id: "blank-lines",
    sentence: "Blank lines are skipped without a response.",
    transport: "stdio",
    pieces: () => ["\n\r\n   \n\n"],
    judge: silent,
  },
  {
    id: "carriage-return",
    sentence: "A line that ends with CR LF is read.",
    transport: "stdio",
    pieces: (context) => [line(request(context)).replace("\n", "\r\n")],
    judge: results(1),
  },
  {
    id: "broken-utf8",
    sentence: "Bytes that are not UTF-8 do not stop the server.",
    transport: "both",
    pieces: (context) => {
      const [start = "", end = ""] = line(request(context, ID, { text: "#" })).split("#");
      return [
        Uint8Array.from([...encoder.encode(start), 0xff, 0xfe, 0xc3, ...encoder.encode(end)]),
      ];
    },
  },
  {
    id: "lone-surrogate",
    sentence: "Half of a character does not stop the server.",
    transport: "both",
    pieces: (context) => [line(request(context, ID, { text: "#" })).replace("#", "\\ud800")],
  },
  {
    id: "deep-nesting",
    sentence: "100,000 arrays in each other do not stop the server.",
    transport: "both",
    pieces: ({ method }) => [
      `{"jsonrpc":"2.0","id":"torture","method":"${method}","params":{"_meta":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}}\n`,
    ],
  },
  {
    id: "many-members",
    sentence: "An object with 200,000 members does not stop the server.",
    transport: "both",
    pieces(context) {
      const many = Object.fromEntries(
        Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]),
      );
      return [line(request(context, ID, { many }))];
    },
  },
  {
    id: "repeated-member",
    sentence: "A message with two methods is read as one, or refused.",
    transport: "both",
    pieces: ({ method }) => [
      `{"jsonrpc":"2.0","id":"torture","method":"${method}","method":"tools/none"}\n`,
    ],
    judge: (all) => (all.length <= 1 ? undefined : `there were ${all.length} responses`),
  },
  {
    id: "prototype-members",
    sentence: "Members named __proto__ and constructor change nothing.",
    transport: "both",
    pieces: (context) => [
      line(request(context, ID, { p: "#" })).replace(
        '"#"',
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
      ),
    ],
  },
  {
    id: "batch",
    sentence:
      "Two requests in an array are refused by revisions without batches, or both answered.",
    transport: "both",
    pieces: (context) => [line([request(context, "torture-1"), request(context, "torture-2")])],
  },
  {
    id: "empty-batch",
    sentence: "An empty array is refused.",
    transport: "both",
    pieces: () => ["[]\n"],
    judge: errors(-32600, -32700),
  },
  {
    id: "large-batch",
    sentence: "An array of 10,000 requests does not stop the server.",
    transport: "both",
    pieces: (context) => [
      line(Array.from({ length: 10_000 }, (_, index) => request(context, `torture-${index}`))),
    ],
  },
  {
    id: "random-messages",
    sentence: "Messages with random changes do not stop the server.",
    transport: "both",
    pieces(context) {
      const text = JSON.stringify(request(context));
      return Array.from({ length: 100 }, () => `${changed(text, context.random)}\n`);
    },
  },
];

const CHARACTERS = '{}[]",:0e-.\\ntu\u0000ä ';

function changed(text: string, random: () => number): string {
  let result = text;
  for (let changes = 0; changes < 1 + random() * 4; changes++) {
    const at = Math.floor(random() * result.length);
    const character = CHARACTERS[Math.floor(random() * CHARACTERS.length)]!;
    const skipped = random() < 0.7 ? 1 : 0;
    const added = random() < 0.7 ? character : "";
    result = result.slice(0, at) + added + result.slice(at + skipped);
  }
  return result.replaceAll("\n", "");
}
