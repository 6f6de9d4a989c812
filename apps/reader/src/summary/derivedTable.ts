import { formatDerived, type KnownDerivedValue } from '@org/analysis';
import { renderNamed } from '@org/terminal/layout';
import stringWidth from 'string-width';
import type { Screen } from '../screen.ts';

/** The share of the free lines that the table may take. */
const MAX_SHARE = 1 / 4;

/** Space between a name and its value, and between two pairs of them. */
const GAP = 2;

/**
 * Renders derived metrics as a table of names and values, in as many columns as the screen is wide enough for, or not at all
 * if `freeLines` is too small.
 */
export function renderDerived(
  values: readonly KnownDerivedValue[],
  { paint, width }: Screen,
  freeLines: number,
): string[] {
  if (values.length === 0) return [];
  const cells = values.map(value => [describeDerived(value, values), formatDerived(value)] as const);
  const nameWidth = Math.max(...cells.map(([name]) => stringWidth(name))) + GAP;
  const valueWidth = Math.max(...cells.map(([, value]) => stringWidth(value))) + GAP;
  const columns = Math.max(1, Math.floor((width - 1) / (nameWidth + valueWidth)));
  const rows = Math.ceil(cells.length / columns);
  const table = Array.from({ length: rows }, (_, row) => {
    const pairs = cells.filter((_, i) => i % rows === row);
    if (columns === 1) return renderPair(pairs[0]!, nameWidth + 1, width);
    return [
      ` ${pairs.map(([name, value]) => pad(name, nameWidth) + pad(value, valueWidth)).join('')}`.trimEnd(),
    ];
  });
  const lines = ['', paint.bold(' Derived'), ...table.flat()];
  return lines.length <= Math.max(MAX_SHARE * freeLines, 3) && lines.length <= freeLines ? lines : [];
}

/** Renders the only pair of a row. A value that does not fit beside its name is below it. */
function renderPair([name, value]: readonly [string, string], nameWidth: number, width: number): string[] {
  const fits = nameWidth + stringWidth(value) <= width;
  return renderNamed(name, value, { nameWidth: fits ? nameWidth : GAP + 1, width });
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/** Returns the name of a derived metric, with its server or endpoint if several have it. */
export function describeDerived(
  { name, endpoint, server, labels }: KnownDerivedValue,
  values: readonly KnownDerivedValue[],
): string {
  if (values.filter(value => value.name === name).length < 2) return name;
  return `${name} (${endpoint ?? labels.component ?? server})`;
}
