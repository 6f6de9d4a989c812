import { type TextLabel, writeLabels } from './labels.ts';
import { writeElement } from './markup.ts';
import { roundPixel } from './path.ts';
import type { Scale } from './scale.ts';
import type { Interval, Moment, TimeMarks } from './timeChartModel.ts';

/** Minimum width of a shaded interval, in pixels, so that short ones remain visible. */
const MIN_WIDTH = 3;
/** Approximate width of a character of a label, in pixels. */
const CHARACTER_WIDTH = 6.2;

/** The space between two labels, and between two rows of labels, in pixels. */
const LABEL_GAP = 4;
const ROW_HEIGHT = 12;

/** The names of the time before and after profiling. */
const BEFORE = 'warm-up';
const AFTER = 'after the run';

/** The area of a chart between its axes, in pixels from its own corner. */
export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Shades the time outside of profiling, findings, and the time without samples. It is drawn below the values. */
export function drawShades(
  { profiling, intervals }: TimeMarks,
  x: Scale,
  { width, height }: PlotSize,
): string {
  const outside: (readonly [number, number])[] = profiling
    ? [
        [x.domain[0], profiling[0]],
        [profiling[1], x.domain[1]],
      ]
    : [];
  const clip = (seconds: number): number => Math.min(width, Math.max(0, x.toPixel(seconds)));
  const draw = ({ from, to }: Interval): string => {
    const [left, right] = [clip(from), clip(to)];
    if (to < x.domain[0] || from > x.domain[1] || to <= from) return '';
    const shadeWidth = Math.max(MIN_WIDTH, right - left);
    const at = roundPixel(Math.min(left, width - shadeWidth));
    return `M${at} 0h${roundPixel(shadeWidth)}v${height}h-${roundPixel(shadeWidth)}z`;
  };
  return [
    ...outside.map(([from, to]) => drawStripes(clip(from), clip(to), height)),
    ...(['finding', 'gap'] as const).map(kind => {
      const d = intervals
        .filter(interval => interval.kind === kind)
        .map(draw)
        .join('');
      return d === '' ? '' : writeElement('path', { class: `shade ${kind}`, d });
    }),
  ].join('');
}

/** Draws vertical stripes: the dashes of a line as thick as the chart is high. They are not the grey of an area. */
function drawStripes(left: number, right: number, height: number): string {
  if (right <= left) return '';
  return writeElement('path', {
    class: 'outside',
    d: `M${roundPixel(left)} ${roundPixel(height / 2)}H${roundPixel(right)}`,
    'stroke-width': height,
  });
}

/** Draws the moments, and the labels of moments, intervals, and the time before and after profiling. Labels that would overlap are left out. */
export function drawMarkLabels(marks: TimeMarks, x: Scale, size: PlotSize): string {
  const lines = marks.moments.filter(({ seconds }) => seconds >= x.domain[0] && seconds <= x.domain[1]);
  const labels = placeLabels(
    [
      ...lines.map(({ label, seconds, kind }) => ({
        text: label,
        at: x.toPixel(seconds) + 3,
        className: kind,
      })),
      ...marks.intervals.flatMap(interval => labelInterval(interval, x, size)),
      ...labelOutside(marks, x, size),
    ],
    size,
  );
  return [...lines.map(moment => drawMoment(moment, x, size)), writeLabels('mark', labels)].join('');
}

function drawMoment({ kind, seconds }: Moment, x: Scale, { height }: PlotSize): string {
  const at = roundPixel(x.toPixel(seconds));
  return writeElement('path', { class: `moment ${kind}`, d: `M${at} 0V${height}` });
}

interface Label {
  readonly text: string;
  /** The left edge, in pixels. */
  readonly at: number;
  readonly className: string;
}

function labelInterval({ from, to, label, kind }: Interval, x: Scale, { width }: PlotSize): Label[] {
  if (to < x.domain[0] || from > x.domain[1]) return [];
  return [{ text: label, at: Math.min(width - 8, Math.max(0, x.toPixel(from)) + 2), className: kind }];
}

function labelOutside({ profiling }: TimeMarks, x: Scale, { width }: PlotSize): Label[] {
  if (!profiling) return [];
  const [start, end] = profiling.map(seconds => x.toPixel(seconds)) as [number, number];
  const measure = (text: string): number => text.length * CHARACTER_WIDTH;
  // The time after the run is short, so that its label ends with it.
  return [
    ...(start > measure(BEFORE) ? [{ text: BEFORE, at: 3, className: 'outside' }] : []),
    ...(end < width - MIN_WIDTH && end > 0
      ? [{ text: AFTER, at: Math.max(end + 3, width - measure(AFTER)), className: 'outside' }]
      : []),
  ];
}

/** Places labels at the top of a chart, each where it does not overlap one before it. Numbers of findings may be in the second row. */
function placeLabels(labels: readonly Label[], { width }: PlotSize): TextLabel[] {
  const taken: (readonly [from: number, to: number, row: number])[] = [];
  return labels.flatMap(({ text, at, className }) => {
    const length = text.length * CHARACTER_WIDTH;
    const left = Math.max(0, Math.min(at, width - length));
    const isFree = (row: number): boolean =>
      taken.every(([from, to, used]) => used !== row || left >= to || left + length <= from);
    const row = (className === 'finding' ? [0, 1] : [0]).find(isFree);
    if (length > width || row === undefined) return [];
    taken.push([left - LABEL_GAP, left + length + LABEL_GAP, row]);
    return [{ x: left, y: 10 + row * ROW_HEIGHT, text, className }];
  });
}
