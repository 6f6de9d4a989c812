import type { ChangeVerdict, RunTrend, TrendGroup } from '@org/analysis';
import { formatCount } from '@org/core';
import { writeFrame } from '../../html/frame.ts';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { type VerdictBox, writeVerdictBox } from '../../html/verdictBox.ts';
import { writePage } from '../../report/page.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import {
  describeMethods,
  describeSetting,
  formatHeadline,
  formatPeriod,
  formatStart,
  listDrifts,
  listEvents,
  listNotes,
  nameRuns,
} from '../trendText.ts';
import { formatWorkload } from '../workloadText.ts';
import { writeChanges } from './changeSection.ts';
import type { GroupPlace } from './groupPlace.ts';
import { writeMetricSections } from './metricSection.ts';
import { writeRunTable } from './runTable.ts';

/** Renders the page of a trend. Links to runs are relative to `file`, the path of the page. */
export function renderTrendPage(trend: RunTrend, file: string): string {
  const runs = trend.groups.reduce((sum, group) => sum + group.runs.length, 0);
  const title = `Trend of ${formatCount(runs, 'run')}`;
  const body = writeFrame(title, {
    main: [...trend.groups.map((group, i) => writeGroup(group, i + 1, trend, file)), writeProblems(trend)],
  });
  const subtitle = trend.groups.map(group => formatWorkload(group, trend.groups)).join('; ');
  return writePage({ title, subtitle }, { script: 'trend.js', body, data: {} });
}

function writeGroup(group: TrendGroup, number: number, trend: RunTrend, file: string): string {
  const names = nameRuns(trend);
  const { method, exceptions } = describeMethods(group, trend);
  const several = trend.groups.length > 1;
  const place: GroupPlace = { id: `group-${number}`, suffix: several ? ` of group ${number}` : '' };
  const { id, suffix } = place;
  return [
    several
      ? writeElement('h2', { id }, escapeText(`Group ${number}: ${formatWorkload(group, trend.groups)}`))
      : '',
    writeParagraph(
      `${several ? '' : `${formatWorkload(group, trend.groups)} · `}${formatPeriod(group)}`,
      'subtitle',
    ),
    writeVerdict(group, trend, place),
    writeChanges(group, names, place),
    writeSettings(group, place),
    writeMetricSections(group, place),
    writeSection(
      `${id}-runs`,
      `Runs${suffix}`,
      writeRunTable(group, names, { file, label: `Table of runs${suffix}` }),
      writeParagraph(
        'In parentheses: the quartiles of the requests of a run, or the lowest and the highest of repeated runs.',
        'hint',
      ),
    ),
    writeSection(
      `${id}-method`,
      `Method${suffix}`,
      ...[...method, ...exceptions].map(text => writeParagraph(`${text[0]!.toUpperCase()}${text.slice(1)}.`)),
    ),
  ].join('');
}

/** Writes the result in a sentence. */
function writeVerdict(group: TrendGroup, trend: RunTrend, { id, suffix }: GroupPlace): string {
  const verdicts = [...listEvents(group).slice(0, 1), ...listDrifts(group).map(({ drift }) => drift!)].map(
    ({ verdict }) => verdict,
  );
  const isUntested = group.metrics.every(({ state }) => state === 'too few runs');
  return writeVerdictBox({
    id: `${id}-verdict`,
    label: `Verdict${suffix}`,
    ...(isUntested ? UNTESTED : judgeVerdicts(verdicts)),
    sentence: formatHeadline(group, trend),
  });
}

type Judgement = Pick<VerdictBox, 'tone' | 'word'>;

const UNTESTED: Judgement = { tone: 'unknown', word: '● Too few runs:' };

function judgeVerdicts(verdicts: readonly ChangeVerdict[]): Judgement {
  if (verdicts.length === 0) return { tone: 'good', word: '● Stable:' };
  if (verdicts.includes('worse')) return { tone: 'problem', word: '▲ Worse:' };
  return verdicts.every(verdict => verdict === 'better')
    ? { tone: 'good', word: '▼ Better:' }
    : { tone: 'warning', word: '◆ Changed:' };
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
  const texts = listNotes(trend);
  if (texts.length === 0) return '';
  const items = texts.map(text => writeElement('li', {}, escapeText(text)));
  return writeSection('problems', 'Not part of the trend, and notes', writeElement('ul', {}, ...items));
}
