import type { RunTrend, TrendGroup } from '@org/analysis';
import { formatCount } from '@org/core';
import { writeParagraph, writeSection } from '../../report/html/section.ts';
import { writePage } from '../../report/page.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import {
  describeMethod,
  describeSetting,
  formatHeadline,
  formatStart,
  formatWorkload,
  listDrifts,
  listEvents,
  listProblems,
  listUntested,
  listVarying,
  nameRuns,
} from '../trendText.ts';
import { writeChanges } from './changeSection.ts';
import type { GroupPlace } from './groupPlace.ts';
import { writeMetricSections } from './metricSection.ts';
import { writeRunTable } from './runTable.ts';

/** Renders the page of a trend. Links to runs are relative to `file`, the path of the page. */
export function renderTrendPage(trend: RunTrend, file: string): string {
  const runs = trend.groups.reduce((sum, group) => sum + group.runs.length, 0);
  const title = `Trend of ${formatCount(runs, 'run')}`;
  const body = [
    writeElement('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    writeElement(
      'header',
      {},
      writeElement(
        'div',
        { class: 'title' },
        writeElement('h1', {}, title),
        writeElement('div', { id: 'actions', class: 'actions' }),
      ),
    ),
    writeElement(
      'main',
      { id: 'main' },
      ...trend.groups.map((group, i) => writeGroup(group, i + 1, trend, file)),
      writeProblems(trend),
    ),
  ].join('');
  const subtitle = trend.groups.map(formatWorkload).join(' · ');
  return writePage({ title, subtitle }, { script: 'trend.js', body, data: {} });
}

function writeGroup(group: TrendGroup, number: number, trend: RunTrend, file: string): string {
  const names = nameRuns(trend);
  const [first, last] = [group.runs[0]!, group.runs.at(-1)!];
  const several = trend.groups.length > 1;
  const place: GroupPlace = { id: `group-${number}`, suffix: several ? ` of group ${number}` : '' };
  const { id, suffix } = place;
  return [
    several ? writeElement('h2', { id }, escapeText(`Group ${number}: ${formatWorkload(group)}`)) : '',
    writeParagraph(
      `${several ? '' : `${formatWorkload(group)} · `}${formatStart(first)} to ${formatStart(last)} UTC`,
      'subtitle',
    ),
    writeVerdict(group, trend),
    writeChanges(group, names, place),
    writeSettings(group, place),
    writeMetricSections(group, place),
    writeSection(
      `${id}-runs`,
      `Runs${suffix}`,
      writeRunTable(group, names, { file, label: `Table of runs${suffix}` }),
    ),
    writeSection(
      `${id}-method`,
      `Method${suffix}`,
      ...[describeMethod(group, trend), ...listUntested(group, trend), ...listVarying(group)].map(text =>
        writeParagraph(`${text[0]!.toUpperCase()}${text.slice(1)}.`),
      ),
    ),
  ].join('');
}

/** Writes the result in a sentence. */
function writeVerdict(group: TrendGroup, trend: RunTrend): string {
  const verdicts = [...listEvents(group).slice(0, 1), ...listDrifts(group).map(({ drift }) => drift!)].map(
    ({ verdict }) => verdict,
  );
  const isUntested = group.metrics.every(({ state }) => state === 'too few runs');
  const [tone, word] = isUntested
    ? ['unknown', '● Too few runs:']
    : verdicts.includes('worse')
      ? ['problem', '▲ Worse:']
      : verdicts.length > 0 && verdicts.every(verdict => verdict === 'better')
        ? ['good', '▼ Better:']
        : verdicts.length > 0
          ? ['warning', '◆ Changed:']
          : ['good', '● Stable:'];
  return writeElement(
    'div',
    { class: `verdict-box tone-${tone}` },
    writeElement(
      'p',
      { class: 'sentence' },
      writeElement('span', { class: 'tone' }, word!),
      ' ',
      escapeText(formatHeadline(group, trend)),
    ),
  );
}

/** Lists the changes of settings, which charts show as dashed lines. */
function writeSettings({ settingChanges, runs }: TrendGroup, { id, suffix }: GroupPlace): string {
  if (settingChanges.length === 0) return '';
  const items = settingChanges.map(change =>
    writeElement(
      'li',
      {},
      writeElement('strong', {}, `Run ${change.at + 1}`),
      ` (${formatStart(runs[change.at]!)} UTC): ${escapeText(describeSetting(change))}`,
    ),
  );
  return writeSection(
    `${id}-settings`,
    `Changes of settings${suffix}`,
    writeParagraph('Dashed lines in the charts.', 'hint'),
    writeElement('ul', {}, ...items),
  );
}

function writeProblems(trend: RunTrend): string {
  const texts = [...listProblems(trend), ...trend.notes];
  if (texts.length === 0) return '';
  const items = texts.map(text => writeElement('li', {}, escapeText(text)));
  return writeSection('problems', 'Not part of the trend, and notes', writeElement('ul', {}, ...items));
}
