import { EVERYTHING } from "../model/filter.js";
import { tracksOf } from "../model/order.js";
import type { Row } from "../model/row.js";
import { h, time } from "./dom.js";

const TRACKS = 4;
const TRACK_HEIGHT = 7;
const AXIS = 16;
const TOP = 9;
/** The minimum distance that the pointer must move to select a time span, in pixels. */
const DRAG = 5;
/** The shortest time span that can be shown, in milliseconds. */
const SHORTEST = 0.5;

export interface TimelineOptions {
  readonly select: (row: Row) => void;
  /** Called with the first and last millisecond of a selected time span. */
  readonly span: (from: number, to: number) => void;
}

/** A picture of the conversation over time, with bars for requests, ticks for notifications, and marks for findings. */
export interface Timeline {
  readonly element: HTMLElement;
  update(rows: readonly Row[], matching: (row: Row) => boolean): void;
  mark(row: Row | undefined): void;
  /** Multiplies the length of the visible time span. The marked row or, if there is none, the middle stays in place. */
  zoom(factor: number): void;
}

export function timeline({ select, span }: TimelineOptions): Timeline {
  const canvas = h("canvas", { role: "img" }) as HTMLCanvasElement;
  const cursor = h("div.cursor");
  const whole = h("button.plain", { onclick: () => zoom(Infinity) }, "Show all ", h("kbd", "0"));
  const element = h("section.timeline", { "aria-label": "Time" }, canvas, cursor, whole);
  let rows: readonly Row[] = [];
  let { matches: matching } = EVERYTHING;
  let selected: Row | undefined;
  let end = 1;
  /** The visible time span, in milliseconds. */
  let [from, to] = [0, end];
  let tracks: ReadonlyMap<Row, number> = new Map();
  let counted = 0;
  let start: number | undefined;
  let now: number | undefined;

  const width = (): number => canvas.clientWidth || 1;
  const xOf = (t: number): number => 8 + ((t - from) / (to - from)) * (width() - 16);
  const tOf = (x: number): number =>
    Math.min(to, Math.max(from, from + ((x - 8) / (width() - 16)) * (to - from)));
  const isWhole = (): boolean => to - from >= end;
  const look = (first: number, length: number): void => {
    const part = Math.min(end, Math.max(length, SHORTEST));
    from = Math.min(Math.max(0, first), end - part);
    to = from + part;
    whole.hidden = isWhole();
    const shown = isWhole() ? "" : `, shown from ${time(from)} to ${time(to)}`;
    canvas.setAttribute("aria-label", `Time of the messages: ${time(end)} in all${shown}`);
    draw();
  };
  const zoomAt = (t: number, factor: number): void => {
    const length = Math.min(end, Math.max(SHORTEST, (to - from) * factor));
    look(t - ((t - from) / (to - from)) * length, length);
  };
  const zoom = (factor: number): void => zoomAt(selected?.line.t ?? (from + to) / 2, factor);

  const place = (): void => {
    const t = selected?.line.t ?? -1;
    cursor.hidden = t < from || t > to;
    if (selected) cursor.style.left = `${canvas.offsetLeft + xOf(selected.line.t) - 1}px`;
  };
  const draw = (): void => {
    const height = TOP + TRACKS * TRACK_HEIGHT + AXIS;
    const ratio = devicePixelRatio || 1;
    canvas.width = width() * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    if (context === null) return;
    context.scale(ratio, ratio);
    const color = colorsOf(canvas);
    axis(context, { from, to, xOf }, { height, line: color("line"), text: color("dim") });
    for (const row of rows) {
      if (row.line.t > to || row.line.t + (row.duration ?? 0) < from) continue;
      context.globalAlpha = matching(row) ? 1 : 0.15;
      const x = xOf(row.line.t);
      const track = tracks.get(row);
      if (track !== undefined) {
        const length = Math.max(2, xOf(row.line.t + (row.duration ?? 0)) - x);
        const isServer = row.line.from === "server";
        context.fillStyle = color(
          row.response?.hasFailed ? "error" : isServer ? "server" : "request",
        );
        context.fillRect(x, TOP + track * TRACK_HEIGHT, length, TRACK_HEIGHT - 2);
      } else if (row.kind === "notification") {
        context.fillStyle = color("notification");
        context.fillRect(x, TOP + TRACKS * TRACK_HEIGHT, 1.5, 4);
      }
      if (row.findings.length === 0) continue;
      const isError = row.findings.some(({ severity }) => severity === "error");
      context.fillStyle = color(isError ? "error" : "warning");
      context.beginPath();
      context.arc(x, 4.5, 2.75, 0, 7);
      context.fill();
    }
    context.globalAlpha = 1;
    place();
    if (start === undefined || now === undefined) return;
    context.globalAlpha = 0.2;
    context.fillStyle = color("request");
    context.fillRect(Math.min(start, now), 0, Math.abs(now - start), height);
  };

  const nearest = (x: number): Row | undefined => {
    const t = tOf(x);
    let best: Row | undefined;
    let distance = Number.POSITIVE_INFINITY;
    for (const row of rows) {
      if (row.kind === "result" || row.kind === "error") continue;
      const over = t - (row.line.t + (row.duration ?? 0));
      const away = t < row.line.t ? row.line.t - t : Math.max(0, over);
      if (away <= distance) [best, distance] = [row, away];
    }
    return best;
  };

  canvas.addEventListener("pointerdown", ({ offsetX, pointerId }) => {
    start = offsetX;
    canvas.setPointerCapture(pointerId);
  });
  canvas.addEventListener("pointermove", ({ offsetX }) => {
    if (start === undefined) {
      canvas.title = time(tOf(offsetX));
      return;
    }
    now = offsetX;
    draw();
  });
  canvas.addEventListener("pointerup", ({ offsetX }) => {
    const begin = start;
    start = now = undefined;
    if (begin === undefined) return;
    if (Math.abs(offsetX - begin) < DRAG) {
      const row = nearest(offsetX);
      if (row) select(row);
    } else span(tOf(Math.min(begin, offsetX)), tOf(Math.max(begin, offsetX)));
    draw();
  });
  canvas.addEventListener("dblclick", () => zoom(Infinity));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { deltaX, deltaY, shiftKey, offsetX } = event;
    const aside = shiftKey ? deltaY : deltaX;
    if (aside !== 0) look(from + (aside / width()) * (to - from), to - from);
    else zoomAt(tOf(offsetX), 1.002 ** deltaY);
  });
  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

  return {
    element,
    zoom,
    mark(row) {
      selected = row;
      const t = row?.line.t ?? from;
      if (t < from || t > to) look(t - (to - from) / 2, to - from);
      else place();
    },
    update(newRows, newMatching) {
      if (newRows.length !== counted) tracks = tracksOf(newRows, TRACKS);
      counted = newRows.length;
      [rows, matching] = [newRows, newMatching];
      const wasWhole = isWhole();
      end = Math.max(1, rows.at(-1)?.line.t ?? 1);
      look(from, wasWhole ? end : to - from);
    },
  };
}

/** Returns a function that looks up style sheet colors by name in the current color scheme. */
function colorsOf(element: HTMLElement): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    let found = known.get(name);
    if (found === undefined) {
      element.style.color = `var(--${name})`;
      found = getComputedStyle(element).color;
      known.set(name, found);
    }
    return found;
  };
}

function axis(
  context: CanvasRenderingContext2D,
  { from, to, xOf }: { readonly from: number; readonly to: number; xOf(t: number): number },
  { height, line, text }: { readonly height: number; readonly line: string; readonly text: string },
): void {
  const least = (to - from) / Math.max(1, (xOf(to) - xOf(from)) / 90);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? least;
  context.font = "11px system-ui, sans-serif";
  for (let index = Math.ceil(from / step); index * step <= to; index++) {
    const t = index * step;
    const x = Math.round(xOf(t)) + 0.5;
    context.fillStyle = line;
    context.fillRect(x, 0, 1, height - AXIS + 4);
    context.fillStyle = text;
    const label = t === 0 ? "0" : labelOf(t, step);
    const { width: length } = context.measureText(label);
    if (x + length + 3 < xOf(to) + 8) context.fillText(label, x + 3, height - 3);
  }
}

/** Formats the time at a mark, with as many digits as the distance between marks requires. */
function labelOf(t: number, step: number): string {
  if (step >= 10 || t < 10) return time(t).replace(/\.0+ /, " ");
  return `${t.toLocaleString("en", { maximumFractionDigits: step < 0.1 ? 2 : 1 })} ms`;
}
