import { wrapMarked } from '@org/terminal/layout';
import colors from 'picocolors';

/** The width of the output in terminal columns, and whether to use colors. */
export interface ScreenStyle {
  readonly width: number;
  readonly color: boolean;
}

/** Width of the first column of tables, in terminal columns, including a leading space. */
const NAME_COLUMNS = 24;

/** Returns the width of the first column; 1 if its names do not fit beside the other columns and are on separate lines. */
export function findNameColumns(otherColumns: number, width: number): number {
  return NAME_COLUMNS + otherColumns <= width ? NAME_COLUMNS : 1;
}

/** Formats an integer with thousands separators. */
export function formatInteger(value: number): string {
  return new Intl.NumberFormat('en').format(value);
}

/** Formats a number of requests with thousands separators. */
export function formatRequests(count: number): string {
  return `${formatInteger(count)} ${count === 1 ? 'request' : 'requests'}`;
}

/** Formats a ratio as a percentage, such as `1.5%`. */
export function formatPercent(ratio: number): string {
  const text = (100 * ratio).toFixed(1);
  return `${text === '-0.0' ? '0.0' : text}%`;
}

/** Formats a message as wrapped lines after a mark: `!` for a warning, `✓` for a passed check. */
export function formatBullet(
  message: string,
  { width, color }: ScreenStyle,
  mark: '!' | '✓' = '!',
): string[] {
  const paint = colors.createColors(color);
  const painted = mark === '!' ? paint.yellow(mark) : paint.green(mark);
  return wrapMarked(painted, message, width - 1, ' ');
}
