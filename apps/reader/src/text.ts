import stringWidth from 'string-width';
import { printable } from './terminal.ts';

/** Words in lines of so many columns; the first word of a line stands there however long it is. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const word of printable(text).split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

/** With its noun: `1 metric`, `2 metrics`; nouns that end otherwise are given whole. */
export function counted(
  count: number,
  noun: string,
  plural: string = noun.endsWith('s') ? noun : `${noun}s`,
): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
