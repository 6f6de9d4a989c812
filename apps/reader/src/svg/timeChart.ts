import { formatNumber } from '@org/core';
import { findHighest, findTop, stackAreas, type TimeRange } from './extent.ts';
import { writeLabels } from './labels.ts';
import { drawArea, drawLayer } from './layers.ts';
import { escapeText, writeElement } from './markup.ts';
import { roundPixel } from './path.ts';
import { createLinearScale, createLogScale, type Scale } from './scale.ts';
import { formatTick, listLogTicks, listTicks } from './ticks.ts';
import { getLayerAxis, type Limit, type TimeChart, type TimeMarks } from './timeChartModel.ts';
import { drawTimeLabels } from './timeLabels.ts';
import { drawMarkLabels, drawShades, type PlotSize } from './timeMarks.ts';

/** How to draw a chart: its size in pixels, and the visible time. */
export interface ChartView {
  readonly width: number;
  readonly height: number;
  readonly range: TimeRange;
  readonly isLog?: boolean;
}

/** The space around the plot, in pixels. The axis of the load is on the right; without it, the space keeps the time axes aligned. */
export const MARGIN = { left: 46, right: 34, top: 6, bottom: 20 } as const;
/** Minimum distance between labels of a value axis, in pixels. */
const LABEL_HEIGHT = 34;
/** Share of the height that the load covers at most, so that it stays behind the values. */
const LOAD_SHARE = 0.92;
/** The lowest value of a logarithmic axis, as a fraction of the highest. */
const LOG_RANGE = 1e-3;

/** Returns the area between the axes of a chart. */
export function measurePlot({ width, height }: Pick<ChartView, 'width' | 'height'>): PlotSize {
  return { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
}

/** Draws a chart over time as SVG. */
export function drawTimeChart(chart: TimeChart, marks: TimeMarks, view: ChartView): string {
  const plot = measurePlot(view);
  const top = findTop(chart, view.range);
  const x = createLinearScale(view.range, [0, plot.width]);
  const y = createValueScale(chart, top, plot, view.isLog ?? false);
  const inside = [
    drawShades(marks, x, plot),
    drawLoad(chart, x, plot),
    ...stackAreas(chart.layers).map(area => drawArea(area, chart.axis, { x, y })),
    ...chart.layers.map(layer => drawLayer(layer, getLayerAxis(layer, chart), { x, y })),
    ...drawLimits(chart.limits ?? [], y, plot),
    drawMarkLabels(marks, x, plot),
  ];
  // A nested element clips what it contains, without an identifier that another chart could have as well.
  const plotted = writeElement(
    'svg',
    { x: MARGIN.left, y: MARGIN.top, width: plot.width, height: plot.height, class: 'plot' },
    ...inside,
  );
  return writeElement(
    'svg',
    {
      class: 'drawing',
      viewBox: `0 0 ${view.width} ${view.height}`,
      role: 'img',
      'aria-label': describeChart(chart),
    },
    drawValueAxis(y, plot, view.isLog ?? false),
    drawTimeAxis(x, plot),
    drawLoadAxis(chart, plot),
    plotted,
  );
}

/** Creates the value axis of a chart, up to `top`. */
export function createValueScale(chart: TimeChart, top: number, plot: PlotSize, isLog: boolean): Scale {
  return isLog
    ? createLogScale([findLogBottom(chart, top), top], [plot.height, 0])
    : createLinearScale([0, top], [plot.height, 0]);
}

/** Finds the lower end of a logarithmic axis: a power of ten below the lowest value, within a thousandth of the top. */
function findLogBottom({ layers }: TimeChart, top: number): number {
  const values = layers.flatMap(layer => {
    if ('points' in layer) return layer.points.map(([, value]) => value);
    return 'values' in layer ? layer.values : 'low' in layer ? layer.low : [];
  });
  const positive = values.filter(value => value !== null && value > 0) as number[];
  const lowest = positive.reduce((a, b) => Math.min(a, b), top);
  return 10 ** Math.floor(Math.log10(Math.max(lowest, top * LOG_RANGE)));
}

function drawValueAxis(y: Scale, { width, height }: PlotSize, isLog: boolean): string {
  const [from, to] = y.domain;
  const count = Math.max(2, Math.floor(height / LABEL_HEIGHT));
  const ticks = isLog ? listLogTicks(from, to, count) : listTicks(from, to, count);
  const lines = ticks.map(
    value => `M${MARGIN.left} ${roundPixel(MARGIN.top + y.toPixel(value))}h${roundPixel(width)}`,
  );
  const labels = ticks.map(value => ({
    x: MARGIN.left - 6,
    y: MARGIN.top + y.toPixel(value) + 4,
    text: formatTick(value),
  }));
  return (
    (lines.length === 0 ? '' : writeElement('path', { class: 'grid', d: lines.join('') })) +
    writeLabels('tick end', labels)
  );
}

function drawTimeAxis(x: Scale, { width, height }: PlotSize): string {
  const bottom = MARGIN.top + height;
  const line = writeElement('path', {
    class: 'axis',
    d: `M${MARGIN.left} ${roundPixel(bottom)}h${roundPixel(width)}`,
  });
  return line + drawTimeLabels(x, MARGIN.left, width, bottom + 15);
}

/** Draws the load as a grey area with an axis of its own. */
function drawLoad({ load }: TimeChart, x: Scale, plot: PlotSize): string {
  if (!load) return '';
  const y = createLoadScale(load, plot);
  const layer = { form: 'area', name: load.name, color: 'grey', values: load.values } as const;
  return stackAreas([layer])
    .map(area => writeElement('g', { class: 'load' }, drawArea(area, load.axis, { x, y })))
    .join('');
}

function createLoadScale({ values }: NonNullable<TimeChart['load']>, { height }: PlotSize): Scale {
  return createLinearScale([0, (findHighest(values) || 1) / LOAD_SHARE], [height, 0]);
}

function drawLoadAxis({ load }: TimeChart, plot: PlotSize): string {
  if (!load) return '';
  const y = createLoadScale(load, plot);
  const labels = listTicks(...y.domain, Math.max(2, Math.floor(plot.height / LABEL_HEIGHT)))
    .filter(value => value > 0)
    .map(value => ({
      x: MARGIN.left + plot.width + 5,
      y: MARGIN.top + y.toPixel(value) + 4,
      text: formatTick(value),
    }));
  return writeLabels('tick load-tick', labels);
}

/** Draws the limits that are inside the chart, with their names above the lines. */
function drawLimits(limits: readonly Limit[], y: Scale, { width }: PlotSize): string[] {
  return limits
    .filter(({ value }) => value <= y.domain[1] && value >= y.domain[0])
    .map(({ value, name }) => {
      const at = roundPixel(y.toPixel(value));
      // The name is below a line that is near the top, where labels of marks are.
      const textAt = at < 26 ? Math.max(at + 12, 22) : at - 4;
      return (
        writeElement('path', { class: 'limit', d: `M0 ${at}H${roundPixel(width)}` }) +
        writeElement(
          'text',
          { class: 'mark limit-name end', x: roundPixel(width - 2), y: roundPixel(textAt) },
          escapeText(name),
        )
      );
    });
}

/** Describes a chart for screen readers: the highest value of each layer. */
export function describeChart({ title, layers, unit }: TimeChart): string {
  const parts = layers.flatMap(layer => {
    if (layer.form === 'events') return [`${layer.name}: at ${layer.times.length} times`];
    if (!('values' in layer)) return [];
    const known = layer.values.filter(value => value !== null);
    if (known.length === 0) return [];
    const lowest = known.reduce((a, b) => Math.min(a, b));
    const highest = findHighest(known);
    return [`${layer.name} from ${formatNumber(lowest)} to ${formatNumber(highest)}${unit && ` ${unit}`}`];
  });
  return `${title}, over time: ${parts.join(', ') || 'no data'}`;
}
