import { findHighest } from './extent.ts';
import { writeLabels } from './labels.ts';
import { writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { type Point, roundPixel, splitRuns, writeArea, writePath } from './path.ts';
import { createLogScale } from './scale.ts';
import { formatTick, listLogTicks } from './ticks.ts';

/** The percentiles of one quantity, by several measurements. */
export interface LadderData {
  readonly title: string;
  readonly percents: readonly number[];
  readonly lines: readonly {
    readonly name: string;
    readonly color: ColorName;
    readonly values: readonly (number | null)[];
    readonly low?: readonly (number | null)[];
    readonly high?: readonly (number | null)[];
    readonly isDashed?: true;
  }[];
}

const MARGIN = { left: 46, right: 16, top: 8, bottom: 20 };
const LABEL_HEIGHT = 26;

/** Draws percentiles on a logarithmic axis, with the bounds that certainly contain them. */
export function drawLadder({ title, percents, lines }: LadderData, width: number, height: number): string {
  const all = lines.flatMap(({ values, low = [], high = [] }) => [...values, ...low, ...high]);
  const positive = all.filter(value => value !== null && value > 0) as number[];
  const top = findHighest(positive) || 1;
  const bottom = Math.max(top / 1e5, 0.8 * positive.reduce((a, b) => Math.min(a, b), top));
  const y = createLogScale([bottom, top * 1.15], [height - MARGIN.bottom, MARGIN.top]);
  const ticks = listLogTicks(...y.domain, Math.floor(height / LABEL_HEIGHT));
  const toX = (i: number): number =>
    MARGIN.left + 10 + (i / (percents.length - 1)) * (width - MARGIN.left - MARGIN.right - 20);
  const place = (values: readonly (number | null)[]): (Point | null)[] =>
    values.map((value, i) => (value === null ? null : [toX(i), y.toPixel(value)]));
  const drawBounds = ({ low, high, color }: LadderData['lines'][number]): string => {
    if (!low || !high) return '';
    // Without an upper bound, the band ends at the top.
    const pairs = low.map((value, i) =>
      value === null
        ? null
        : ([
            [toX(i), y.toPixel(high[i] ?? y.domain[1])],
            [toX(i), y.toPixel(value)],
          ] as const),
    );
    const path = splitRuns(pairs)
      .map(run =>
        writeArea(
          run.map(([above]) => above),
          run.map(([, below]) => below),
        ),
      )
      .join('');
    return path === '' ? '' : writeElement('path', { class: `band f-${color}`, d: path });
  };
  return writeElement(
    'svg',
    {
      class: 'drawing',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': `Percentiles: ${title}; a table follows`,
    },
    writeElement('path', {
      class: 'grid',
      d: ticks
        .map(value => `M${MARGIN.left} ${roundPixel(y.toPixel(value))}H${width - MARGIN.right}`)
        .join(''),
    }),
    writeLabels(
      'tick end',
      ticks.map(value => ({ x: MARGIN.left - 6, y: y.toPixel(value) + 4, text: formatTick(value) })),
    ),
    writeLabels(
      'tick middle',
      percents.map((percent, i) => ({ x: toX(i), y: height - 5, text: `p${percent}` })),
    ),
    ...lines.map(drawBounds),
    ...lines.map(({ values, color, isDashed }) => {
      const path = splitRuns(place(values)).map(writePath).join('');
      const style = `line s-${color}${isDashed ? ' dashed' : ''}`;
      return path === '' ? '' : writeElement('path', { class: style, d: path });
    }),
  );
}
