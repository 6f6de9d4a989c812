import { type Curve, type CurvePoint, computeThroughputLatencyCurves } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import uPlot from 'uplot';
import type { RunSetDocument, SelectableMetric } from '../src/sweep/runSetDocument.ts';
import { createAxisStyle, getChartWidth, keepUpToDate, X_AXIS_HEIGHT, Y_AXIS_WIDTH } from './chartStyle.ts';
import { createElement, createSection } from './element.ts';
import { getColor, getLineColorName } from './theme.ts';

/** Height of the chart, in pixels. */
const HEIGHT = 420;
/** Radius of a point, in pixels. */
const RADIUS = 5;
/** The factor by which an axis extends beyond the highest value. */
const HEADROOM = 1.08;
const HEADING = 'Throughput and latency';

type Sweep = NonNullable<RunSetDocument['sweep']>;

/** Creates the section with the throughput-latency curve of a sweep. Both metrics can be selected. */
export function createCurveSection(sweep: Sweep): HTMLElement {
  const { throughputs, latencies, variations } = sweep;
  if (throughputs.length === 0 || latencies.length === 0)
    return createSection(
      'curve',
      HEADING,
      createElement('p', {}, 'No variation has both a throughput and a latency.'),
    );
  const throughput = createMetricSelect('curve-x', 'Throughput', throughputs, 'request_throughput_avg');
  const latency = createMetricSelect('curve-y', 'Latency', latencies, findMainLatency(latencies));
  const box = createElement('div', { class: 'chart curve', role: 'img' });
  const legend = createElement('ul', { class: 'legend' });
  const caption = createElement('p', { 'aria-live': 'polite' });
  let chart: uPlot | undefined;
  const update = (): void => {
    const x = throughputs.find(({ metric }) => metric === throughput.value)!;
    const y = latencies.find(({ metric }) => metric === latency.value)!;
    const curves = computeThroughputLatencyCurves(variations, x.metric, y.metric);
    const optimal = curves.flatMap(({ points }) => points.filter(({ isPareto }) => isPareto));
    box.setAttribute('aria-label', `${y.name} over ${x.name} of each variation; a table follows`);
    box.dataset.pareto = optimal.map(({ name }) => name).join(' ');
    caption.textContent = describeCurves(curves, x, y);
    legend.replaceChildren(...(curves.length > 1 ? curves.map(createLegendItem) : []));
    chart?.destroy();
    chart = drawChart(box, curves, x, y);
  };
  throughput.addEventListener('change', update);
  latency.addEventListener('change', update);
  requestAnimationFrame(update);
  keepUpToDate(box, HEIGHT, () => chart);
  return createSection(
    'curve',
    HEADING,
    createElement(
      'div',
      { class: 'toolbar' },
      createElement('label', { for: 'curve-x' }, 'Throughput'),
      throughput,
      createElement('label', { for: 'curve-y' }, 'Latency'),
      latency,
    ),
    createElement('figure', {}, box, legend, caption),
  );
}

/** Finds the latency metric to show first. It is the metric that `pareto_optimal` in the export is based on. */
export function findMainLatency(latencies: readonly SelectableMetric[]): string | undefined {
  const candidates = ['time_to_first_token_p99', 'request_latency_p99'];
  return candidates.find(candidate => latencies.some(({ metric }) => metric === candidate));
}

/** Describes the filled points and the error bars of the chart. */
export function describeCurves(
  curves: readonly Curve[],
  x: Pick<SelectableMetric, 'name'>,
  y: Pick<SelectableMetric, 'name'>,
): string {
  const points = curves.flatMap(curve => curve.points);
  const optimal = points.filter(({ isPareto }) => isPareto).map(({ name }) => name);
  const hasIntervals = points.some(({ yHalf }) => yHalf !== null);
  return [
    `Filled points are Pareto-optimal with respect to the means of ${x.name} and ${y.name}: ${optimal.join(', ')}.`,
    ...(hasIntervals ? ['Error bars show confidence intervals.'] : []),
  ].join(' ');
}

function createMetricSelect(
  id: string,
  label: string,
  metrics: readonly SelectableMetric[],
  selected: string | undefined,
): HTMLSelectElement {
  return createElement(
    'select',
    { id, 'aria-label': label },
    ...metrics.map(({ metric, name }) =>
      createElement('option', { value: metric, selected: metric === selected }, name),
    ),
  );
}

function createLegendItem({ name }: Curve, index: number): HTMLElement {
  return createElement('li', {}, createElement('span', { class: `swatch ${getLineColorName(index)}` }), name);
}

/**
 * Draws the axes with uPlot and the curves directly on its canvas. A curve connects variations in their order, so its x
 * values may decrease, but uPlot requires series with ascending x values.
 */
function drawChart(
  box: HTMLElement,
  curves: readonly Curve[],
  x: SelectableMetric,
  y: SelectableMetric,
): uPlot {
  const points = curves.flatMap(curve => curve.points).sort((a, b) => a.x - b.x);
  const axis = createAxisStyle();
  return new uPlot(
    {
      width: getChartWidth(box),
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      padding: [16, 24, 0, 0],
      scales: {
        x: { time: false, range: [0, computeAxisEnd(points.map(point => [point.x, point.xHalf]))] },
        y: { range: [0, computeAxisEnd(points.map(point => [point.y, point.yHalf]))] },
      },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [
        {
          ...axis,
          label: x.name,
          values: (_, ticks) => ticks.map(tick => formatValue(tick, null)),
          size: X_AXIS_HEIGHT,
        },
        {
          ...axis,
          label: y.name,
          values: (_, ticks) => ticks.map(tick => formatValue(tick, y.unit)),
          size: Y_AXIS_WIDTH,
        },
      ],
      hooks: {
        draw: [
          chart => {
            for (const [i, curve] of curves.entries()) drawCurve(chart, curve, getLineColorName(i));
          },
        ],
      },
    },
    [points.map(point => point.x), points.map(point => point.y)],
    box,
  );
}

/** Computes the end of an axis. It includes all confidence intervals, each up to twice its mean. */
export function computeAxisEnd(
  values: readonly (readonly [mean: number, halfWidth: number | null])[],
): number {
  const ends = values.map(([mean, halfWidth]) => mean + Math.min(halfWidth ?? 0, mean));
  return Math.max(0, ...ends) * HEADROOM || 1;
}

function drawCurve(chart: uPlot, { points }: Curve, colorName: string): void {
  const { ctx } = chart;
  const scale = devicePixelRatio;
  const positionedPoints = points.map(point => ({
    point,
    left: chart.valToPos(point.x, 'x', true),
    top: chart.valToPos(point.y, 'y', true),
  }));
  ctx.save();
  ctx.strokeStyle = getColor(colorName);
  ctx.lineWidth = 1.5 * scale;
  ctx.beginPath();
  for (const { left, top } of positionedPoints) ctx.lineTo(left, top);
  ctx.stroke();
  for (const { point } of positionedPoints) drawInterval(chart, point, scale);
  for (const { point, left, top } of positionedPoints) {
    ctx.beginPath();
    ctx.arc(left, top, RADIUS * scale, 0, 2 * Math.PI);
    ctx.fillStyle = getColor(point.isPareto ? colorName : 'paper');
    ctx.fill();
    ctx.stroke();
  }
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  ctx.fillStyle = getColor('ink');
  for (const { point, left, top } of positionedPoints) drawName(chart, point.name, left, top, scale);
  ctx.restore();
}

/** Draws the error bars of a point, clipped to the plot area. */
function drawInterval({ ctx, valToPos, bbox }: uPlot, point: CurvePoint, scale: number): void {
  const clamp = (value: number, start: number, length: number): number =>
    Math.min(Math.max(value, start), start + length);
  const toX = (value: number): number => clamp(valToPos(value, 'x', true), bbox.left, bbox.width);
  const toY = (value: number): number => clamp(valToPos(value, 'y', true), bbox.top, bbox.height);
  const { x, y, xHalf, yHalf } = point;
  ctx.save();
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = scale;
  ctx.beginPath();
  if (xHalf !== null) {
    ctx.moveTo(toX(x - xHalf), toY(y));
    ctx.lineTo(toX(x + xHalf), toY(y));
  }
  if (yHalf !== null) {
    ctx.moveTo(toX(x), toY(y - yHalf));
    ctx.lineTo(toX(x), toY(y + yHalf));
  }
  ctx.stroke();
  ctx.restore();
}

/** Draws a name to the right of its point, or to the left if it would extend beyond the plot area. */
function drawName({ ctx, bbox }: uPlot, name: string, left: number, top: number, scale: number): void {
  const gap = (RADIUS + 4) * scale;
  const fitsRight = left + gap + ctx.measureText(name).width <= bbox.left + bbox.width;
  ctx.textAlign = fitsRight ? 'left' : 'right';
  // Draw the name slightly below the point, because most curves rise to the right.
  ctx.fillText(name, fitsRight ? left + gap : left - gap, top + 16 * scale);
}
