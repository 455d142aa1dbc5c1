import {
  colours,
  grey,
  ink,
  isBound,
  logRange,
  positive,
  short,
  textStyle,
  valueAxis,
  width,
} from "./draw-style.mjs";

const heading = 56;
const panelTitle = 26;
const bar = 24;
const axis = 42;
const right = 90;

/** A panel for each series, all on the same scale, with lying bars, so that names can be read. */
export function barsOf(plot) {
  const values = positive(plot, 1);
  // The same for all panels; a bar that is the least of all still has some length.
  const range =
    plot.y.scale === "log"
      ? fromTheAxis(logRange(plot.y, [...values, Math.min(...values) * 0.8]))
      : { min: 0, max: roundedUp(Math.max(...values, 0)) };
  const left = leftOf(plot);
  let top = heading;
  const panels = plot.series.map((series, index) => {
    const panel = panelOf(series, index, left, top + (hasTitles(plot) ? panelTitle : 0));
    top = panel.grid.top + panel.grid.height + axis;
    const isLast = index === plot.series.length - 1;
    const name = isLast ? plot.y.label : "";
    const xAxis = { ...valueAxis(plot.y), ...range, gridIndex: index, name, nameGap: 28 };
    return { ...panel, xAxis };
  });
  return {
    height: top + 14,
    title: hasTitles(plot) ? panels.map(({ title }) => title) : [],
    grid: panels.map(({ grid }) => grid),
    xAxis: panels.map(({ xAxis }) => xAxis),
    yAxis: panels.map(({ yAxis }) => yAxis),
    series: panels.map(({ series }) => series),
  };
}

/** Bars of a logarithmic scale begin at 1 otherwise, wherever that is. */
const fromTheAxis = (range) => ({ ...range, startValue: range.min });

/** As much as the longest name needs. */
function leftOf({ series }) {
  const lengths = series.flatMap(({ points }) => points.map(([name]) => String(name).length));
  return Math.min(340, 36 + 8 * Math.max(...lengths, 0));
}

const hasTitles = ({ series }) => series.length > 1;

function panelOf({ name, points }, index, left, top) {
  return {
    title: {
      text: name,
      left,
      top: top - panelTitle + 2,
      textStyle: { ...textStyle, fontWeight: "bold" },
    },
    grid: { left, top, width: width - left - right, height: points.length * bar },
    yAxis: {
      type: "category",
      gridIndex: index,
      data: points.map(([contestant]) => contestant),
      inverse: true,
      axisLabel: { ...textStyle, width: left - 20, overflow: "truncate", interval: 0 },
      axisTick: { show: false },
      axisLine: { lineStyle: { color: ink } },
    },
    series: {
      type: "bar",
      xAxisIndex: index,
      yAxisIndex: index,
      barWidth: 16,
      data: points.map(([contestant, value]) => ({
        value,
        itemStyle: { color: colourOf(String(contestant)) },
      })),
      label: {
        show: true,
        position: "right",
        color: ink,
        fontSize: 12,
        formatter: ({ value }) => short(value),
      },
    },
  };
}

/** What is possible, what is ours, and all others. */
function colourOf(contestant) {
  if (isBound(contestant)) return grey;
  return /^\d{4}-\d{2}-\d{2}|^universal|^mcp-codegen|^ours|^all/.test(contestant)
    ? colours[0]
    : colours[1];
}

/** To one digit that is not zero. */
function roundedUp(value) {
  const step = 10 ** Math.floor(Math.log10(value || 1));
  return Math.ceil(value / step) * step;
}
