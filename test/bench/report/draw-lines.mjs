import { colours, grey, isBound, logRange, positive, textStyle, valueAxis } from "./draw-style.mjs";

/** A line for each series. */
export function linesOf(plot) {
  const isOrdered = plot.x.scale === "category";
  const categories = plot.series.flatMap(({ points }) => points.map(([x]) => String(x)));
  const scale = isOrdered
    ? { type: "category", data: [...new Set(categories)] }
    : logRange(plot.x, positive(plot, 0));
  const others = plot.series.filter(({ name }) => !isBound(name));
  return {
    height: 540,
    color: plot.series.map((one) => (isBound(one.name) ? grey : colours[others.indexOf(one)])),
    legend: { top: 42, left: 12, itemGap: 26, show: plot.series.length > 1, textStyle },
    grid: { left: 96, right: 48, top: plot.series.length > 1 ? 88 : 60, bottom: 64 },
    xAxis: { ...valueAxis(plot.x), ...scale, nameGap: 34 },
    yAxis: { ...valueAxis(plot.y), ...logRange(plot.y, positive(plot, 1)), nameGap: 60 },
    series: plot.series.map(({ name, points }) => ({
      name,
      type: "line",
      symbol: "circle",
      symbolSize: 8,
      lineStyle: { width: 2 },
      data: points.map(([x, y]) => (isOrdered ? [String(x), y] : [x, y])),
    })),
  };
}
