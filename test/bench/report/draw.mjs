// Reads `{ folder, plots }` from stdin and writes an SVG file for each plot.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import * as echarts from "echarts";
import { barsOf } from "./draw-bars.mjs";
import { linesOf } from "./draw-lines.mjs";
import { textStyle, width } from "./draw-style.mjs";

const { folder, plots } = JSON.parse(await text(process.stdin));
for (const plot of plots) {
  const { height, title = [], ...options } = plot.kind === "bars" ? barsOf(plot) : linesOf(plot);
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  const heading = {
    text: plot.title,
    left: 16,
    top: 12,
    textStyle: { ...textStyle, fontSize: 17 },
  };
  chart.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    textStyle,
    title: [heading, ...title],
    ...options,
  });
  writeFileSync(join(folder, `${plot.name}.svg`), `${chart.renderToSVGString()}\n`);
  chart.dispose();
}
