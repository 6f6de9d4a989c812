import type { TrendGroup, TrendRun } from '@org/analysis';
import { writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import {
  type ChangeEvent,
  describeChange,
  describeDrift,
  describeSetting,
  formatFigure,
  formatTitle,
  listDrifts,
  listEvents,
} from '../trendText.ts';
import type { GroupPlace } from './groupPlace.ts';

const CLASSES = { worse: 'problem', better: 'note', changed: 'warning' } as const;

/** Writes the changes with their evidence, the most recent first; empty without changes. */
export function writeChanges(
  group: TrendGroup,
  names: ReadonlyMap<TrendRun, string>,
  { id, suffix }: GroupPlace,
): string {
  const items = [
    ...listEvents(group).map(event => writeEvent(event, group, names)),
    ...listDrifts(group).map(metric =>
      writeItem(metric.drift!.verdict, formatTitle(metric), [
        `${formatFigure(metric)} (${metric.server}): ${describeDrift(metric)}`,
      ]),
    ),
  ];
  return items.length === 0
    ? ''
    : writeSection(`${id}-changes`, `Changes${suffix}`, writeElement('ol', { class: 'findings' }, ...items));
}

function writeEvent(
  { before, after, verdict, changes, settings }: ChangeEvent,
  { runs }: TrendGroup,
  names: ReadonlyMap<TrendRun, string>,
): string {
  const describeRun = (index: number): string => `run ${index + 1} (${names.get(runs[index]!)})`;
  return writeItem(verdict, `Between ${describeRun(before)} and ${describeRun(after)}`, [
    ...settings.map(change => `Setting: ${describeSetting(change)}`),
    ...changes.map(
      ({ metric, change }) =>
        `${change.verdict}: ${formatTitle(metric)} (${metric.server}) ${describeChange(metric, change)}`,
    ),
  ]);
}

function writeItem(verdict: ChangeEvent['verdict'], title: string, lines: readonly string[]): string {
  return writeElement(
    'li',
    { class: CLASSES[verdict] },
    writeElement('span', { class: 'severity' }, verdict),
    ' ',
    writeElement('strong', {}, escapeText(title)),
    writeElement('ul', {}, ...lines.map(line => writeElement('li', {}, escapeText(line)))),
  );
}
