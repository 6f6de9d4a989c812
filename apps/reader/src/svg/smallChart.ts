import { formatNumber } from '@org/core';
import { escapeText, writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { type Point, roundPixel, splitRuns, writePath } from './path.ts';
import { createLinearScale } from './scale.ts';
import type { Values } from './timeChartModel.ts';

const WIDTH = 200;
const HEIGHT = 64;

/** A line of one replica, drawn with the axes of all replicas and their median in grey. */
export interface SmallChart {
  readonly label: string;
  readonly color: ColorName;
  readonly values: Values;
  readonly median: Values;
  readonly top: number;
  readonly unit: string;
  /** The position at which the values end for good, in points. */
  readonly stop?: number;
}

/** Draws a small chart whose value axis is shared with its neighbors. */
export function drawSmallChart({ label, color, values, median, top, unit, stop }: SmallChart): string {
  const x = createLinearScale([0, Math.max(1, values.length - 1)], [1, WIDTH - 1]);
  const y = createLinearScale([0, top * 1.05], [HEIGHT - 1, 18]);
  const draw = (list: Values, className: string): string => {
    const points = list.map((value, i): Point | null =>
      value === null ? null : [x.toPixel(i), y.toPixel(value)],
    );
    const path = splitRuns(points).map(writePath).join('');
    return path === '' ? '' : writeElement('path', { class: className, d: path });
  };
  return writeElement(
    'svg',
    { class: 'drawing small', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label },
    writeElement('path', { class: 'axis', d: `M0 ${HEIGHT - 0.5}H${WIDTH}` }),
    writeElement('path', { class: 'grid', d: `M0 ${roundPixel(y.toPixel(top))}H${WIDTH}` }),
    writeElement(
      'text',
      { class: 'tick', x: 0, y: 13 },
      escapeText(`${formatNumber(Number(top.toPrecision(3)))}${unit}`),
    ),
    draw(median, 'line thin dashed s-grey'),
    draw(values, `line s-${color}`),
    stop === undefined
      ? ''
      : writeElement('path', {
          class: 'moment death',
          d: `M${roundPixel(Math.min(WIDTH - 1, x.toPixel(stop)))} 18V${HEIGHT}`,
        }),
  );
}
