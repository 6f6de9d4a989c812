import uPlot from 'uplot';
import type { Timeline } from '../src/report/document.ts';
import { axisLook, follow, widthOf } from './chartStyle.ts';
import { readByKeys } from './cursorKeys.ts';
import { color } from './theme.ts';
import { clock } from './timeAxis.ts';
import type { Zoom } from './zoom.ts';

/** The content of a chart over time. */
export interface ChartParts {
  readonly timeline: Timeline;
  readonly zoom: Zoom;
  /** One list of values per line; empty for a heat map. */
  readonly lines: readonly (readonly (number | null)[])[];
  readonly height: number;
  readonly yValues: (values: readonly number[]) => string[];
  readonly yRange?: readonly [number, number];
  readonly ySplits?: () => number[];
  /** Draws below the lines. */
  readonly draw?: (chart: uPlot) => void;
  /** Shows the text that `read` returns for the time under the cursor. */
  readonly reading: HTMLElement;
  /** Returns the values at a time, given its index. */
  readonly read: (index: number) => string;
}

const SYNC = 'time';
const AXIS_WIDTH = 76;

/** Draws a chart into a box, on the common time axis. `data-range` of the box holds the visible range. */
export function timeChart(box: HTMLElement, parts: ChartParts): uPlot {
  const { timeline, zoom, lines, height } = parts;
  const [min, max] = zoom.range;
  const chart = new uPlot(
    {
      width: widthOf(box),
      height,
      legend: { show: false },
      cursor: {
        sync: { key: SYNC },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        bind: {
          dblclick: () => () => {
            zoom.reset();
            return null;
          },
        },
      },
      scales: {
        x: { time: false, min, max },
        y: parts.yRange ? { range: [...parts.yRange] } : { range: (_, low, high) => fromZero(low, high) },
      },
      series: [
        {},
        ...lines.map((_, i) => ({ stroke: () => color(`line-${i % 8}`), width: 1.5, spanGaps: true })),
      ],
      axes: [
        { ...axisLook(), values: (_, values) => values.map(clock), size: 34 },
        {
          ...axisLook(),
          values: (_, values) => parts.yValues(values),
          size: AXIS_WIDTH,
          ...(parts.ySplits && { splits: parts.ySplits }),
        },
      ],
      hooks: {
        drawClear: [drawn => shade(drawn, timeline), ...(parts.draw ? [parts.draw] : [])],
        draw: [drawn => marks(drawn, timeline)],
        setCursor: [
          ({ cursor: { idx } }) => {
            parts.reading.textContent = idx == null ? '' : parts.read(idx);
          },
        ],
        setSelect: [selecting => select(selecting, zoom)],
        setScale: [
          (scaled, key) => {
            const { min: from, max: to } = scaled.scales.x!;
            if (key === 'x') box.dataset.range = `${from} ${to}`;
          },
        ],
      },
    },
    [[...timeline.seconds], ...lines.map(line => [...line])] as uPlot.AlignedData,
    box,
  );
  zoom.add(chart);
  chart.setScale('x', { min, max });
  follow(box, height, () => chart);
  readByKeys(box, chart, parts.read, () => uPlot.sync(SYNC).plots);
  return chart;
}

/** The scale includes zero, so that small variations do not look large. */
function fromZero(low: number | null, high: number | null): [number, number] {
  const most = Math.max(0, high ?? 1);
  const least = Math.min(0, low ?? 0);
  return most === least ? [least, least + 1] : [least, most + (most - least) * 0.08];
}

function select({ select: { left, width }, posToVal, setSelect }: uPlot, zoom: Zoom): void {
  if (width < 3) return;
  const [from, to] = [posToVal(left, 'x'), posToVal(left + width, 'x')];
  setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  zoom.set(from, to);
}

/** Shades the time outside of the profiling period: the warm-up, and the time after the load. */
function shade(chart: uPlot, { profiling }: Timeline): void {
  if (!profiling) return;
  const { ctx, bbox } = chart;
  const x = (seconds: number): number =>
    Math.min(Math.max(chart.valToPos(seconds, 'x', true), bbox.left), bbox.left + bbox.width);
  ctx.save();
  ctx.fillStyle = color('shade');
  const [from, to] = [x(profiling[0]), x(profiling[1])];
  ctx.fillRect(bbox.left, bbox.top, from - bbox.left, bbox.height);
  ctx.fillRect(to, bbox.top, bbox.left + bbox.width - to, bbox.height);
  ctx.restore();
}

function marks(chart: uPlot, { marks: all }: Timeline): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = color('mark');
  ctx.setLineDash([4, 4]);
  for (const { seconds } of all) {
    const x = Math.round(chart.valToPos(seconds, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
