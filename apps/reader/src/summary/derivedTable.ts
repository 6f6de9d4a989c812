import { formatDerived, type KnownDerivedValue } from '@org/analysis';
import { wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';

/** The share of the free lines that the list may take. */
const MAX_SHARE = 1 / 4;

/** Renders derived metrics as a list that is wrapped, or not at all if `freeLines` is too small. */
export function renderDerived(
  values: readonly KnownDerivedValue[],
  { paint, width }: Screen,
  freeLines: number,
): string[] {
  if (values.length === 0) return [];
  const text = values.map(value => `${describeDerived(value, values)} ${formatDerived(value)}`).join(', ');
  const lines = ['', paint.bold(' Derived'), ...wrapText(text, width - 2).map(line => ` ${line}`)];
  return lines.length <= Math.max(MAX_SHARE * freeLines, 3) && lines.length <= freeLines ? lines : [];
}

/** Returns the name of a derived metric, with its server or endpoint if several have it. */
export function describeDerived(
  { name, endpoint, server, labels }: KnownDerivedValue,
  values: readonly KnownDerivedValue[],
): string {
  if (values.filter(value => value.name === name).length < 2) return name;
  return `${name} (${endpoint ?? labels.component ?? server})`;
}
