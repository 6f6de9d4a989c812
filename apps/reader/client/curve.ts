import { type Curve, type CurvePoint, throughputLatencyCurves } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import uPlot from 'uplot';
import type { PageAxis, RunSetDocument } from '../src/sweep/page.ts';
import { axisLook, follow, widthOf } from './chartStyle.ts';
import { element, section } from './element.ts';
import { color } from './theme.ts';

const HEIGHT = 420;
const RADIUS = 5;

type Sweep = NonNullable<RunSetDocument['sweep']>;

/** The latency of each variation at its throughput, with a choice of both metrics. */
export function curveSection(sweep: Sweep): HTMLElement {
  const { throughputs, latencies, variations } = sweep;
  if (throughputs.length === 0 || latencies.length === 0)
    return section('curve', 'Throughput and latency', element('p', {}, 'No variation has both metrics.'));
  const xs = choice('curve-x', 'Throughput', throughputs, 'request_throughput_avg');
  const ys = choice('curve-y', 'Latency', latencies, latencyOf(latencies));
  const box = element('div', { class: 'chart curve', role: 'img' });
  const legend = element('ul', { class: 'legend' });
  const said = element('p', { 'aria-live': 'polite' });
  let chart: uPlot | undefined;
  const show = (): void => {
    const x = throughputs.find(({ metric }) => metric === xs.value)!;
    const y = latencies.find(({ metric }) => metric === ys.value)!;
    const curves = throughputLatencyCurves(variations, x.metric, y.metric);
    const best = curves.flatMap(({ points }) => points.filter(({ isPareto }) => isPareto));
    const hasIntervals = curves.some(({ points }) => points.some(({ yHalf }) => yHalf !== null));
    box.setAttribute('aria-label', `${y.name} over ${x.name} of each variation; a table follows`);
    box.dataset.pareto = best.map(({ name }) => name).join(' ');
    said.textContent = `Filled: no other variation has at least as much ${x.name} and at most as much ${y.name}, by their means: ${best.map(({ name }) => name).join(', ')}.${hasIntervals ? ' Lines through a point are its interval.' : ''}`;
    legend.replaceChildren(...(curves.length > 1 ? curves.map(legendItem) : []));
    chart?.destroy();
    chart = draw(box, curves, x, y);
  };
  xs.addEventListener('change', show);
  ys.addEventListener('change', show);
  requestAnimationFrame(show);
  follow(box, HEIGHT, () => chart);
  return section(
    'curve',
    'Throughput and latency',
    element(
      'div',
      { class: 'toolbar' },
      element('label', { for: 'curve-x' }, 'Throughput'),
      xs,
      element('label', { for: 'curve-y' }, 'Latency'),
      ys,
    ),
    element('figure', {}, box, legend, said),
  );
}

/** The initial latency: the metric of `pareto_optimal` in the file. */
export function latencyOf(latencies: readonly PageAxis[]): string | undefined {
  const known = ['time_to_first_token_p99', 'request_latency_p99'];
  return known.find(metric => latencies.some(axis => axis.metric === metric));
}

function choice(
  id: string,
  label: string,
  axes: readonly PageAxis[],
  first: string | undefined,
): HTMLSelectElement {
  return element(
    'select',
    { id, 'aria-label': label },
    ...axes.map(({ metric, name }) => element('option', { value: metric, selected: metric === first }, name)),
  );
}

function legendItem({ name }: Curve, at: number): HTMLElement {
  return element('li', {}, element('span', { class: `swatch line-${at % 8}` }), name);
}

/**
 * uPlot draws the axes. Lines follow the order of the variations, and so go back where throughput falls, which
 * series of uPlot cannot do.
 */
function draw(box: HTMLElement, curves: readonly Curve[], x: PageAxis, y: PageAxis): uPlot {
  const points = curves.flatMap(curve => curve.points).sort((a, b) => a.x - b.x);
  const axis = axisLook();
  const high = (of: (point: CurvePoint) => number, half: (point: CurvePoint) => number | null): number =>
    Math.max(0, ...points.map(point => of(point) + Math.min(half(point) ?? 0, of(point))));
  return new uPlot(
    {
      width: widthOf(box),
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      padding: [16, 24, 0, 0],
      scales: {
        x: {
          time: false,
          range: [
            0,
            high(
              one => one.x,
              one => one.xHalf,
            ) * 1.08 || 1,
          ],
        },
        y: {
          range: [
            0,
            high(
              one => one.y,
              one => one.yHalf,
            ) * 1.08 || 1,
          ],
        },
      },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [
        {
          ...axis,
          label: x.name,
          values: (_, ticks) => ticks.map(tick => formatValue(tick, null)),
          size: 34,
        },
        {
          ...axis,
          label: y.name,
          values: (_, ticks) => ticks.map(tick => formatValue(tick, y.unit)),
          size: 76,
        },
      ],
      hooks: { draw: [chart => drawCurves(chart, curves)] },
    },
    [points.map(one => one.x), points.map(one => one.y)],
    box,
  );
}

function drawCurves(chart: uPlot, curves: readonly Curve[]): void {
  for (const [at, curve] of curves.entries()) drawCurve(chart, curve, `line-${at % 8}`);
}

function drawCurve(chart: uPlot, { points }: Curve, look: string): void {
  const { ctx } = chart;
  const scale = devicePixelRatio;
  const places = points.map(point => ({
    point,
    left: chart.valToPos(point.x, 'x', true),
    top: chart.valToPos(point.y, 'y', true),
  }));
  ctx.save();
  ctx.strokeStyle = color(look);
  ctx.fillStyle = color(look);
  ctx.lineWidth = 1.5 * scale;
  ctx.beginPath();
  for (const { left, top } of places) ctx.lineTo(left, top);
  ctx.stroke();
  for (const { point } of places) drawInterval(chart, point, scale);
  for (const { point, left, top } of places) {
    ctx.beginPath();
    ctx.arc(left, top, RADIUS * scale, 0, 2 * Math.PI);
    ctx.fillStyle = point.isPareto ? color(look) : color('paper');
    ctx.fill();
    ctx.stroke();
  }
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  ctx.fillStyle = color('ink');
  for (const { point, left, top } of places) drawName(chart, point.name, left, top, scale);
  ctx.restore();
}

/** Draws whiskers to both ends of the interval, clipped at the frame. */
function drawInterval({ ctx, valToPos, bbox }: uPlot, point: CurvePoint, scale: number): void {
  const inside = (value: number, from: number, length: number): number =>
    Math.min(Math.max(value, from), from + length);
  const at = (axis: 'x' | 'y', value: number): number =>
    axis === 'x'
      ? inside(valToPos(value, 'x', true), bbox.left, bbox.width)
      : inside(valToPos(value, 'y', true), bbox.top, bbox.height);
  const { x, y, xHalf, yHalf } = point;
  ctx.save();
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = scale;
  ctx.beginPath();
  if (xHalf !== null) {
    ctx.moveTo(at('x', x - xHalf), at('y', y));
    ctx.lineTo(at('x', x + xHalf), at('y', y));
  }
  if (yHalf !== null) {
    ctx.moveTo(at('x', x), at('y', y - yHalf));
    ctx.lineTo(at('x', x), at('y', y + yHalf));
  }
  ctx.stroke();
  ctx.restore();
}

/** Places a label to the right of its point, or to the left at the end of the frame. */
function drawName({ ctx, bbox }: uPlot, name: string, left: number, top: number, scale: number): void {
  const gap = (RADIUS + 4) * scale;
  const isRight = left + gap + ctx.measureText(name).width <= bbox.left + bbox.width;
  ctx.textAlign = isRight ? 'left' : 'right';
  // Below the point, because curves mostly rise.
  ctx.fillText(name, isRight ? left + gap : left - gap, top + 16 * scale);
}
