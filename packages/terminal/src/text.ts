import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { toPrintable } from './terminal.ts';

/**
 * Returns the number of terminal columns that a text takes, without its colors. Printable ASCII and the blocks of bars
 * and sparklines, the common cases, take a fast path.
 */
export function countColumns(text: string): number {
  const plain = text.includes('\u001b') ? stripVTControlCharacters(text) : text;
  return /^[ -~\u2580-\u2593]*$/.test(plain) ? plain.length : stringWidth(plain);
}

/** Pads a text on the left to a number of columns. */
export function padStart(text: string, width: number): string {
  return `${' '.repeat(Math.max(0, width - countColumns(text)))}${text}`;
}

/** Pads a text on the right to a number of columns. */
export function padEnd(text: string, width: number): string {
  return `${text}${' '.repeat(Math.max(0, width - countColumns(text)))}`;
}

/** Wraps a text into lines of at most `width` columns, including `indent`. Splits words that do not fit into a line. */
export function wrapText(text: string, width: number, indent = ''): string[] {
  const available = Math.max(1, width - indent.length);
  const lines: string[] = [];
  for (const word of toPrintable(text)
    .split(' ')
    .flatMap(part => splitWord(part, available))) {
    const extendedLine = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && countColumns(extendedLine) <= width) lines[lines.length - 1] = extendedLine;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}

function splitWord(word: string, width: number): string[] {
  if (countColumns(word) <= width) return [word];
  const pieces = [''];
  let usedColumns = 0;
  for (const character of splitCharacters(word)) {
    const columns = countColumns(character);
    if (usedColumns + columns > width && usedColumns > 0) {
      pieces.push('');
      usedColumns = 0;
    }
    pieces[pieces.length - 1] += character;
    usedColumns += columns;
  }
  return pieces;
}

/** Truncates a text to a number of columns, with an ellipsis at its end. */
export function truncateEnd(text: string, width: number): string {
  return countColumns(text) <= width ? text : `${takeColumns(splitCharacters(text), width - 1).join('')}…`;
}

/**
 * Truncates a text to a number of columns, with an ellipsis in its middle. Keeps twice as many columns of the
 * end as of the start, because similar names usually differ at their ends.
 */
export function truncateMiddle(text: string, width: number): string {
  if (countColumns(text) <= width) return text;
  const start = takeColumns(splitCharacters(text), Math.floor((width - 1) / 3)).join('');
  const end = takeColumns(splitCharacters(text).reverse(), width - 1 - countColumns(start));
  return `${start}…${end.reverse().join('')}`;
}

const segmenter = new Intl.Segmenter();

/**
 * Splits a text into characters as users see them: an emoji may consist of several code points. Long texts are
 * split in blocks, because the time that Intl.Segmenter takes grows with the square of the length.
 */
function splitCharacters(text: string): string[] {
  const blocks = text.match(/.{1,1000}/gsu) ?? [];
  return blocks.flatMap(block => Array.from(segmenter.segment(block), ({ segment }) => segment));
}

/** Returns the leading characters that fit into a number of columns; a wide character takes two. */
function takeColumns(characters: readonly string[], width: number): string[] {
  const fitting: string[] = [];
  let usedColumns = 0;
  for (const character of characters) {
    usedColumns += countColumns(character);
    if (usedColumns > width) break;
    fitting.push(character);
  }
  return fitting;
}
