import { writeParagraph, writeSection } from '../../../html/section.ts';
import {
  createEffectScale,
  drawEffect,
  drawEffectAxis,
  EFFECT_STYLES,
  type EffectVerdict,
} from '../../../svg/forest.ts';
import { escapeText, writeElement } from '../../../svg/markup.ts';
import type { Scale } from '../../../svg/scale.ts';
import type { ComparedSide, ComparisonDocument } from '../document.ts';
import type { EffectRow } from '../model/effects.ts';

/** Writes the changes of the key metrics with their intervals. All charts have the same axis. */
export function writeEffectSection({ comparisons }: ComparisonDocument): string {
  const rows = comparisons.flatMap(({ effects }) => effects.flatMap(group => group.rows));
  if (rows.length === 0)
    return writeSection('effects', 'Effects', writeParagraph('These runs have no key metric in common.'));
  const scale = createEffectScale(rows);
  return writeSection(
    'effects',
    'Effects on the key metrics',
    writeParagraph(describeMarks(comparisons[0]!), 'hint'),
    ...(comparisons.length === 1
      ? writeGroups(comparisons[0]!, scale)
      : listMetrics(comparisons).map(metric => writeMetric(metric, scale))),
  );
}

function describeMarks({ minChange }: ComparedSide): string {
  return `Lines are confidence intervals, where the noise is known. The grey zone is ±${minChange * 100}%: smaller changes count as unchanged. ▲ worse, ▼ better, ◆ changed, = unchanged, ○ no evidence of a change, which does not prove that nothing changed, × untested.`;
}

function writeGroups({ effects, minChange }: ComparedSide, scale: Scale): string[] {
  return effects.flatMap(({ name, rows }) => [
    writeElement('h3', { class: 'effect-group' }, escapeText(name)),
    writeList(
      scale,
      rows.map(row => writeEffect(row, writeTitle(row), scale, minChange)),
    ),
  ]);
}

function writeList(scale: Scale, rows: readonly string[]): string {
  return writeElement(
    'ul',
    { class: 'effects' },
    writeElement('li', { class: 'effect-axis', 'aria-hidden': 'true' }, drawEffectAxis(scale)),
    ...rows,
  );
}

function writeTitle({ title, metric }: EffectRow): string {
  const name = title === metric ? '' : ` ${writeElement('span', { class: 'metric' }, escapeText(metric))}`;
  return escapeText(title) + name;
}

/** The effects on one metric, in several comparisons. */
interface MetricEffects {
  readonly first: EffectRow;
  readonly rows: readonly { readonly side: ComparedSide; readonly row: EffectRow }[];
}

/** With several comparisons: the maximum number of metrics of the client, and of metrics of the servers. */
const MAX_METRICS = 6;

/** Lists the metrics of several comparisons with all of their effects. */
function listMetrics(comparisons: readonly ComparedSide[]): MetricEffects[] {
  const groups = [...new Set(comparisons.flatMap(({ effects }) => effects.map(({ name }) => name)))];
  return groups.flatMap(group => {
    const found = new Map<string, { side: ComparedSide; row: EffectRow }[]>();
    for (const side of comparisons)
      for (const row of side.effects.find(({ name }) => name === group)?.rows ?? [])
        found.set(row.metric, [...(found.get(row.metric) ?? []), { side, row }]);
    return [...found.values()]
      .map(rows => ({ first: rows[0]!.row, rows }))
      .sort((a, b) => rankEffects(a) - rankEffects(b))
      .slice(0, MAX_METRICS);
  });
}

/** The order of verdicts. A metric has the first verdict of all its rows. */
const VERDICTS: readonly EffectVerdict[] = [
  'worse',
  'better',
  'changed',
  'no evidence',
  'unchanged',
  'untested',
];

function rankEffects({ rows }: MetricEffects): number {
  return Math.min(...rows.map(({ row }) => VERDICTS.indexOf(row.verdict)));
}

function writeMetric({ first, rows }: MetricEffects, scale: Scale): string {
  return (
    writeElement('h3', { class: 'effect-group' }, writeTitle(first)) +
    writeList(
      scale,
      rows.map(({ side, row }) => writeEffect(row, writeSideName(side), scale, side.minChange)),
    )
  );
}

function writeSideName({ name, color }: ComparedSide): string {
  return (
    writeElement('span', { class: `swatch line-swatch b-${color}`, 'aria-hidden': 'true' }) + escapeText(name)
  );
}

function writeEffect(row: EffectRow, name: string, scale: Scale, minChange: number): string {
  const { values, verdict, text } = row;
  return writeElement(
    'li',
    { class: `effect-row v-${verdict.replace(' ', '-')}` },
    writeElement('span', { class: 'effect-name' }, name),
    writeElement('span', { class: 'effect-values' }, escapeText(values)),
    drawEffect(row, scale, minChange),
    writeElement('span', { class: 'effect-text' }, escapeText(`${EFFECT_STYLES[verdict].symbol} ${text}`)),
  );
}
