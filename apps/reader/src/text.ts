import stringWidth from 'string-width';
import { printable } from './terminal.ts';

/** Words in lines of so many columns; a word that is wider is broken. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const room = Math.max(1, width - indent.length);
  const lines: string[] = [];
  for (const word of printable(text)
    .split(' ')
    .flatMap(one => broken(one, room))) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && stringWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

function broken(word: string, width: number): string[] {
  if (stringWidth(word) <= width) return [word];
  const parts = [''];
  for (const character of word) {
    const longer = `${parts.at(-1)}${character}`;
    if (stringWidth(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}

/** With its noun: `1 metric`, `2 metrics`; nouns that end otherwise are given whole. */
export function counted(
  count: number,
  noun: string,
  plural: string = noun.endsWith('s') ? noun : `${noun}s`,
): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
