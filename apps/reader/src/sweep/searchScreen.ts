import { describeSearch } from '@org/analysis';
import type { SearchHistory } from '@org/formats';
import { toPrintable } from '@org/terminal';
import { wrapText } from '@org/terminal/layout';
import { createScreen, type ScreenOptions } from '../screen.ts';

/** Renders the result of a search, and the evidence for it. */
export function renderSearch(search: SearchHistory, options: ScreenOptions): string {
  const { paint, width } = createScreen(options);
  const { headline, facts, warnings } = describeSearch(search);
  const wrap = (text: string, indent: string): string[] => wrapText(toPrintable(text), width - 1, indent);
  return [
    ...warnings.flatMap(text => wrap(text, ' ').map(paint.yellow)),
    ...wrap(headline, ' ').map(paint.bold),
    ...facts.flatMap(({ name, text }) => wrap(`${name}: ${text}`, '   ')),
  ].join('\n');
}
