import { findHighest } from './extent.ts';
import { writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { type Point, roundPixel, splitRuns, writePath } from './path.ts';
import { createLinearScale } from './scale.ts';
import type { Values } from './timeChartModel.ts';

const WIDTH = 140;
const HEIGHT = 30;

/** Reports whether a limit is near enough to the values to be drawn with them. */
export function isNear(limit: number, values: Values): boolean {
  return limit <= 2.5 * (findHighest(values) || 1);
}

/** Marks of a sparkline in addition to its line. */
export interface SparklineOptions {
  readonly limit?: number | undefined;
  /** The top of the value axis; by default, the highest value. */
  readonly top?: number | undefined;
}

/** Draws a small line without axes, from 0 to its highest value, with an optional limit. */
export function drawSparkline(
  values: Values,
  color: ColorName,
  { limit, top }: SparklineOptions = {},
): string {
  const highest = top ?? (findHighest(values) || 1);
  const shownLimit = limit !== undefined && isNear(limit, values) ? limit : undefined;
  const x = createLinearScale([0, Math.max(1, values.length - 1)], [1, WIDTH - 1]);
  const y = createLinearScale([0, Math.max(highest, shownLimit ?? 0)], [HEIGHT - 2, 2]);
  const points = values.map((value, i): Point | null =>
    value === null ? null : [x.toPixel(i), y.toPixel(value)],
  );
  const path = splitRuns(points).map(writePath).join('');
  if (path === '') return '';
  return writeElement(
    'svg',
    { class: 'spark', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true', preserveAspectRatio: 'none' },
    writeElement('path', { class: `line s-${color}`, d: path }),
    shownLimit === undefined
      ? ''
      : writeElement('path', { class: 'limit', d: `M0 ${roundPixel(y.toPixel(shownLimit))}H${WIDTH}` }),
  );
}
