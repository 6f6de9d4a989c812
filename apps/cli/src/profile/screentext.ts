import { toPrintable } from '@org/terminal';
import colors from 'picocolors';

/** How a screen looks. */
export interface ScreenLook {
  readonly width: number;
  readonly color: boolean;
}

/** Columns of the name in front of figures, the blank before it included. */
export const NAME = 24;

/** A count with its thousands. */
export function whole(value: number): string {
  return new Intl.NumberFormat('en').format(value);
}

/** A share of one as `1.5 %`. */
export function share(value: number): string {
  const text = (100 * value).toFixed(1);
  return `${text === '-0.0' ? '0.0' : text} %`;
}

/** A warning, or with another mark what is right, in as many lines as it takes. */
export function bullet(message: string, { width, color }: ScreenLook, mark: '!' | '✓' = '!'): string[] {
  const paint = colors.createColors(color);
  const shown = mark === '!' ? paint.yellow(mark) : paint.green(mark);
  return wrapped(toPrintable(message), width - 4).map((line, at) =>
    at === 0 ? ` ${shown} ${line}` : `   ${line}`,
  );
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** One line: what is too long ends with `…`. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}
