import { writeElement } from './markup.ts';
import type { ColorName } from './palette.ts';
import { roundPixel, writeMarks } from './path.ts';
import { createLinearScale } from './scale.ts';

/** The values of one side, such as those of repeated runs. */
export interface DotLine {
  readonly color: ColorName;
  readonly values: readonly number[];
}

const WIDTH = 360;
const LINE_HEIGHT = 14;
const PADDING = 8;

/** Draws single values as dots on a common axis: one line per side, with its mean as a tick. */
export function drawDotRow(label: string, lines: readonly DotLine[]): string {
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = createLinearScale(low === high ? [low - 1, high + 1] : [low, high], [PADDING, WIDTH - PADDING]);
  const height = lines.length * LINE_HEIGHT + 4;
  const drawLine = ({ color, values }: DotLine, i: number): string => {
    const y = 2 + (i + 0.5) * LINE_HEIGHT;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return (
      writeElement('path', { class: 'grid', d: `M0 ${y}H${WIDTH}` }) +
      (values.length > 1
        ? writeElement('path', {
            class: `line s-${color}`,
            d: `M${roundPixel(x.toPixel(mean))} ${y - 6}v12`,
          })
        : '') +
      writeElement('path', {
        class: `single s-${color}`,
        d: writeMarks(
          values.map(value => [x.toPixel(value), y] as const),
          'h0',
        ),
      })
    );
  };
  return writeElement(
    'svg',
    { class: 'drawing dot-row', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': label },
    ...lines.filter(({ values }) => values.length > 0).map(drawLine),
  );
}
