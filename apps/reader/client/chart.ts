import uPlot from 'uplot';
import type { Timeline } from '../src/report/document.ts';
import { createAxisStyle, getChartWidth, keepUpToDate, X_AXIS_HEIGHT, Y_AXIS_WIDTH } from './chartStyle.ts';
import { enableCursorKeys } from './cursorKeys.ts';
import { getColor, getLineColorName } from './theme.ts';
import { formatTime } from './timeAxis.ts';
import type { Zoom } from './zoom.ts';

/** The content and format of a chart over time. */
export interface TimeChartOptions {
  readonly timeline: Timeline;
  readonly zoom: Zoom;
  /** One list of values per line. A heat map has one list that contains only nulls. */
  readonly lines: readonly (readonly (number | null)[])[];
  /** Height in pixels. */
  readonly height: number;
  /** Formats the labels of the value axis. */
  readonly formatYTicks: (ticks: readonly number[]) => string[];
  /** The range of the value axis. By default, it covers all values and 0. */
  readonly yRange?: readonly [number, number];
  /** Lists the tick positions of the value axis. By default, uPlot selects them. */
  readonly listYTicks?: () => number[];
  /** Draws content below the lines, such as the cells of a heat map. */
  readonly draw?: (chart: uPlot) => void;
  /** The element that shows the description of the point under the cursor. */
  readonly readout: HTMLElement;
  /** Describes the values at the time with this index. */
  readonly describe: (index: number) => string;
}

/** Charts with this key share a cursor. */
const SYNC_KEY = 'time';
/** The minimum width of a selection, in pixels. A narrower selection is treated as a click. */
const MIN_SELECTION_WIDTH = 3;

/**
 * Draws a chart on the common time axis. The attribute `data-range` of the box contains the visible range, in
 * seconds.
 */
export function drawTimeChart(box: HTMLElement, options: TimeChartOptions): uPlot {
  const { timeline, zoom, lines, height } = options;
  const [min, max] = zoom.range;
  const chart = new uPlot(
    {
      width: getChartWidth(box),
      height,
      legend: { show: false },
      cursor: {
        sync: { key: SYNC_KEY },
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
        y: options.yRange
          ? { range: [...options.yRange] }
          : { range: (_, low, high) => includeZero(low, high) },
      },
      series: [
        {},
        ...lines.map((_, i) => ({
          stroke: () => getColor(getLineColorName(i)),
          width: 1.5,
          spanGaps: true,
        })),
      ],
      axes: [
        { ...createAxisStyle(), values: (_, ticks) => ticks.map(formatTime), size: X_AXIS_HEIGHT },
        {
          ...createAxisStyle(),
          values: (_, ticks) => options.formatYTicks(ticks),
          size: Y_AXIS_WIDTH,
          ...(options.listYTicks && { splits: options.listYTicks }),
        },
      ],
      hooks: {
        drawClear: [drawn => shadeOutsidePeriod(drawn, timeline), ...(options.draw ? [options.draw] : [])],
        draw: [drawn => drawMarks(drawn, timeline)],
        setCursor: [
          ({ cursor: { idx } }) => {
            options.readout.textContent = idx == null ? '' : options.describe(idx);
          },
        ],
        setSelect: [selected => zoomToSelection(selected, zoom)],
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
  keepUpToDate(box, height, () => chart);
  enableCursorKeys(box, chart, options.describe, () => uPlot.sync(SYNC_KEY).plots);
  return chart;
}

/** Extends a value range to include 0, so that small variations do not look large, and adds space at the top. */
export function includeZero(low: number | null, high: number | null): [from: number, to: number] {
  const top = Math.max(0, high ?? 1);
  const bottom = Math.min(0, low ?? 0);
  return top === bottom ? [bottom, bottom + 1] : [bottom, top + (top - bottom) * 0.08];
}

function zoomToSelection({ select: { left, width }, posToVal, setSelect }: uPlot, zoom: Zoom): void {
  if (width < MIN_SELECTION_WIDTH) return;
  const [from, to] = [posToVal(left, 'x'), posToVal(left + width, 'x')];
  setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  zoom.set(from, to);
}

/** Shades the time outside the profiling period. */
function shadeOutsidePeriod(chart: uPlot, { profiling }: Timeline): void {
  if (!profiling) return;
  const { ctx, bbox } = chart;
  const toX = (seconds: number): number =>
    Math.min(Math.max(chart.valToPos(seconds, 'x', true), bbox.left), bbox.left + bbox.width);
  ctx.save();
  ctx.fillStyle = getColor('shade');
  const [from, to] = [toX(profiling[0]), toX(profiling[1])];
  ctx.fillRect(bbox.left, bbox.top, from - bbox.left, bbox.height);
  ctx.fillRect(to, bbox.top, bbox.left + bbox.width - to, bbox.height);
  ctx.restore();
}

function drawMarks(chart: uPlot, { marks }: Timeline): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = getColor('mark');
  ctx.setLineDash([4, 4]);
  for (const { seconds } of marks) {
    const x = Math.round(chart.valToPos(seconds, 'x', true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
