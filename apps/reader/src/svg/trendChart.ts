import { formatValue } from '@org/core';
import { escapeText, writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { type Point, roundPixel, splitRuns, writeArea, writeMarks, writePath } from './path.ts';
import { createLinearScale, type Scale } from './scale.ts';
import { listTicks } from './ticks.ts';
import type { Values } from './timeChartModel.ts';

/** A mean between two change points, with its confidence interval. */
export interface ChartLevel {
  /** The indices of the first and the last run. */
  readonly from: number;
  readonly to: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** A moment between two runs. */
export interface ChartMark {
  /** The index of the first run after the moment. */
  readonly at: number;
  readonly text: string;
  readonly tone: 'bad' | 'good' | 'neutral';
}

/** A metric over runs. */
export interface TrendChart {
  /** Describes the chart for screen readers. */
  readonly label: string;
  readonly color: ColorName;
  readonly unit: string | null;
  /** A value per run; null if it is unknown. */
  readonly values: Values;
  /** The lowest and the highest of repeated runs, by index of the run. */
  readonly ranges: readonly (readonly [low: number, high: number] | null)[];
  readonly levels: readonly ChartLevel[];
  readonly changes: readonly ChartMark[];
  /** The indices of the first runs with changed settings. */
  readonly settings: readonly number[];
  /** The first and the last value of a straight line. */
  readonly line?: readonly [from: number, to: number];
}

const WIDTH = 400;
const HEIGHT = 150;
const PLOT = { left: 62, right: 384, top: 28, bottom: 130 } as const;
const MAX_TICKS = 4;
/** Minimum distance between labels of runs, in pixels. */
const LABEL_WIDTH = 44;
/** The value axis starts at 0 if the lowest value is below this fraction of the highest. */
const MAX_ZERO_SHARE = 0.5;
/** Maximum number of runs whose values are drawn as dots. */
const MAX_DOTS = 150;

/** Draws a metric over runs, with levels, change points and changes of settings. */
export function drawTrendChart(chart: TrendChart): string {
  const { values } = chart;
  const x = createLinearScale([0.5, values.length + 0.5], [PLOT.left, PLOT.right]);
  const y = createLinearScale(findDomain(chart), [PLOT.bottom, PLOT.top]);
  return writeElement(
    'svg',
    { class: 'drawing', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': chart.label },
    drawValueAxis(y, chart.unit),
    drawRunAxis(x, values.length),
    drawSettings(chart.settings, x),
    ...chart.levels.map(level => drawLevel(level, chart.color, x, y)),
    drawRanges(chart, x, y),
    drawValues(chart, x, y),
    drawLine(chart.line, values.length, x, y),
    ...chart.changes.map((change, i) => drawChange(change, i, x)),
  );
}

/** Returns the ends of the value axis: from 0, or around the values if their differences would be too small. */
function findDomain({ values, ranges, levels }: TrendChart): readonly [number, number] {
  const ends = [
    ...values.flatMap(value => value ?? []),
    ...ranges.flatMap(range => range ?? []),
    ...levels.flatMap(({ low, high, mean }) => (Number.isFinite(high - low) ? [low, high] : [mean])),
  ];
  const lowest = ends.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const highest = ends.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(lowest)) return [0, 1];
  const margin = (highest - lowest) * 0.08 || Math.abs(highest) * 0.1 || 1;
  const known = values.filter(value => value !== null);
  const isPositive = known.every(value => value >= 0);
  const startsAtZero = isPositive && lowest <= MAX_ZERO_SHARE * highest;
  return [startsAtZero ? 0 : lowest - margin, highest + margin];
}

function drawValueAxis(y: Scale, unit: string | null): string {
  return listTicks(...y.domain, MAX_TICKS)
    .map(value => {
      const at = roundPixel(y.toPixel(value));
      return (
        writeElement('path', { class: 'grid', d: `M${PLOT.left} ${at}H${PLOT.right}` }) +
        writeElement(
          'text',
          { class: 'tick end', x: PLOT.left - 6, y: roundPixel(at + 4) },
          escapeText(formatValue(value, unit, 8)),
        )
      );
    })
    .join('');
}

/** Draws the numbers of the runs, from 1. */
function drawRunAxis(x: Scale, runs: number): string {
  const count = Math.floor((PLOT.right - PLOT.left) / LABEL_WIDTH);
  const numbers = listTicks(1, runs, Math.min(count, runs)).filter(Number.isInteger);
  const labels = numbers.map(number =>
    writeElement(
      'text',
      { class: 'tick middle', x: roundPixel(x.toPixel(number)), y: PLOT.bottom + 15 },
      String(number),
    ),
  );
  return (
    writeElement('path', { class: 'axis', d: `M${PLOT.left} ${PLOT.bottom}H${PLOT.right}` }) + labels.join('')
  );
}

function drawSettings(settings: readonly number[], x: Scale): string {
  const path = settings.map(at => `M${roundPixel(x.toPixel(at + 0.5))} ${PLOT.top}V${PLOT.bottom}`).join('');
  return path === '' ? '' : writeElement('path', { class: 'moment mark', d: path });
}

/** Draws a mean as a line, and its interval as a band. */
function drawLevel({ from, to, mean, low, high }: ChartLevel, color: ColorName, x: Scale, y: Scale): string {
  const [left, right] = [x.toPixel(from + 0.6), x.toPixel(to + 1.4)];
  const edge = (value: number): Point[] => [
    [left, y.toPixel(value)],
    [right, y.toPixel(value)],
  ];
  const band = Number.isFinite(high - low)
    ? writeElement('path', { class: `band f-${color}`, d: writeArea(edge(high), edge(low)) })
    : '';
  return band + writeElement('path', { class: `line s-${color}`, d: writePath(edge(mean)) });
}

function drawRanges({ ranges, color }: TrendChart, x: Scale, y: Scale): string {
  const path = ranges
    .flatMap((range, i) =>
      range
        ? [
            `M${roundPixel(x.toPixel(i + 1))} ${roundPixel(y.toPixel(range[0]))}V${roundPixel(y.toPixel(range[1]))}`,
          ]
        : [],
    )
    .join('');
  return path === '' ? '' : writeElement('path', { class: `line thin s-${color}`, d: path });
}

function drawValues({ values, color }: TrendChart, x: Scale, y: Scale): string {
  const points = values.map((value, i): Point | null =>
    value === null ? null : [x.toPixel(i + 1), y.toPixel(value)],
  );
  const path = splitRuns(points).map(writePath).join('');
  const known = points.filter(point => point !== null);
  const dots = known.length <= MAX_DOTS ? writeMarks(known, 'h0') : '';
  return (
    (path && writeElement('path', { class: 'line thin s-grey', d: path })) +
    (dots && writeElement('path', { class: `dots s-${color}`, d: dots }))
  );
}

function drawLine(line: TrendChart['line'], runs: number, x: Scale, y: Scale): string {
  if (!line) return '';
  const path = writePath([
    [x.toPixel(1), y.toPixel(line[0])],
    [x.toPixel(runs), y.toPixel(line[1])],
  ]);
  return writeElement('path', { class: 'line dashed s-limit', d: path });
}

const TONES: Readonly<Record<ChartMark['tone'], { readonly line: string; readonly text: string }>> = {
  bad: { line: 'moment', text: 'mark restart' },
  good: { line: 'moment s-second', text: 'mark f-second' },
  neutral: { line: 'moment s-grey', text: 'mark' },
};
/** The positions of labels, which neighboring changes use in turn, so that their labels do not overlap. */
const LABEL_ROWS = [10, 22] as const;

function drawChange({ at, text, tone }: ChartMark, index: number, x: Scale): string {
  const left = roundPixel(x.toPixel(at + 0.5));
  const isRight = left > (PLOT.left + PLOT.right) / 2;
  const y = LABEL_ROWS[index % LABEL_ROWS.length]!;
  const { line, text: label } = TONES[tone];
  return (
    writeElement('path', { class: line, d: `M${left} ${y + 3}V${PLOT.bottom}` }) +
    writeElement(
      'text',
      { class: `${label}${isRight ? ' end' : ''}`, x: isRight ? left + 3 : left - 3, y },
      escapeText(text),
    )
  );
}
