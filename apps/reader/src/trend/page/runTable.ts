import { dirname, relative, resolve, sep } from 'node:path';
import type { MetricTrend, TrendGroup, TrendRun } from '@org/analysis';
import { formatCount, formatValue } from '@org/core';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { formatFigure, formatStart } from '../trendText.ts';

/**
 * Writes the table of the runs: a link to the folder of each run, and the means of the client's metrics with their spread.
 * Links are relative to
 * `file`, the path of the page.
 */
export function writeRunTable(
  group: TrendGroup,
  names: ReadonlyMap<TrendRun, string>,
  { file, label }: { readonly file: string; readonly label: string },
): string {
  const metrics = group.metrics.filter(({ type, stat }) => type === 'client' && stat === 'avg');
  const heads = ['run', 'start (UTC)', 'folder', ...metrics.map(formatFigure)];
  const rows = group.runs.map((run, i) =>
    writeElement(
      'tr',
      {},
      writeElement('td', { class: 'number' }, String(i + 1)),
      writeElement('td', { class: 'nowrap' }, `${formatStart(run)}${run.isLocalTime ? ' (local time)' : ''}`),
      writeElement(
        'td',
        { class: 'nowrap' },
        writeLink(run, names.get(run)!, file),
        escapeText(describeRepeats(run)),
      ),
      ...metrics.map(metric => writeElement('td', { class: 'number' }, escapeText(formatCell(metric, i)))),
    ),
  );
  return writeElement(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    writeElement(
      'table',
      {},
      writeElement(
        'thead',
        {},
        writeElement('tr', {}, ...heads.map(head => writeElement('th', { scope: 'col' }, escapeText(head)))),
      ),
      writeElement('tbody', {}, ...rows),
    ),
  );
}

/** Writes a link to a run. Each part of the path is escaped, such as `#` and `%`. */
function writeLink({ path }: TrendRun, name: string, file: string): string {
  const target = relative(dirname(resolve(file)), resolve(path));
  const href = target.split(sep).map(encodeURIComponent).join('/');
  return writeElement('a', { href: `./${href}` }, escapeText(name));
}

function describeRepeats({ repeats }: TrendRun): string {
  return repeats === 1 ? '' : `, ${formatCount(repeats, 'repeat')}`;
}

/** Formats a value with its spread: the quartiles of requests, or the lowest and highest repeat. */
function formatCell({ values, spreads, unit }: MetricTrend, index: number): string {
  const value = values[index];
  if (value === null || value === undefined) return '';
  const spread = spreads[index];
  const text = formatValue(value, unit);
  return spread ? `${text} (${formatValue(spread.low, unit)}–${formatValue(spread.high, unit)})` : text;
}
