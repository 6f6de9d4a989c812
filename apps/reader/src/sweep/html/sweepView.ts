import { writeParagraph, writeSection } from '../../html/section.ts';
import { writeFacts, writeVerdictBox } from '../../html/verdictBox.ts';
import { writeElement } from '../../svg/markup.ts';
import { drawShareBars } from '../../svg/shareBars.ts';
import type { XyChart } from '../../svg/xyChartModel.ts';
import type { Conclusion } from '../model/conclusion.ts';
import { OUTCOMES, type SweepView } from '../model/sections.ts';
import { writeXyFigure } from './xyFigure.ts';

/** The widths of charts in pixels: across the page, and in one of two columns. */
export interface ChartWidths {
  readonly wide: number;
  readonly column: number;
}

/** The widths that a page is written with. The script adapts them to the screen. */
export const PAGE_WIDTHS: ChartWidths = { wide: 1240, column: 600 };
const WIDE_HEIGHT = 400;
export const COLUMN_HEIGHT = 200;

/** The mark of each tone, so that its color is not needed. */
const MARKS: Readonly<Record<Conclusion['tone'], string>> = { good: '●', warning: '▲', unknown: '○' };

/** Writes the first sentence of the page, and the facts behind it. */
export function writeConclusion({ tone, label, sentence, facts }: Conclusion): string {
  return writeVerdictBox(
    { id: 'verdict', label: 'Conclusion', tone, word: `${MARKS[tone]} ${label}`, sentence },
    writeFacts(facts.join('; ')),
  );
}

/** Returns the height of a chart across the page. On a phone, it is not higher than the screen. */
export function getWideHeight(width: number): number {
  return Math.round(Math.min(WIDE_HEIGHT, Math.max(260, width * 0.5)));
}

/** Writes all charts of a choice. */
export function writeCharts(view: SweepView, widths: ChartWidths): string {
  const { limits, tradeoff, load, interactivity, outcomes, repeats } = view;
  const column = (chart: XyChart): string =>
    writeXyFigure(chart, { width: widths.column, height: COLUMN_HEIGHT });
  const columns = (charts: readonly XyChart[]): string =>
    writeElement('div', { class: 'columns' }, ...charts.map(column));
  const wide = (chart: XyChart): string =>
    writeXyFigure(chart, { width: widths.wide, height: getWideHeight(widths.wide) });
  return [
    limits.length > 0
      ? writeSection(
          'limits',
          'Limits of the search',
          limits.length === 1 ? wide(limits[0]!) : columns(limits),
        )
      : '',
    tradeoff
      ? writeSection(
          'curve',
          'Throughput and latency',
          wide(tradeoff),
          writeParagraph(describeRings(tradeoff), 'hint'),
        )
      : '',
    load.length > 0 ? writeSection('load', `The client, by ${view.groups.load}`, columns(load)) : '',
    writeServers(view, columns),
    interactivity ? writeSection('users', 'Speed for one user and for all', wide(interactivity)) : '',
    outcomes
      ? writeSection(
          'outcomes',
          'Outcomes of requests',
          writeElement(
            'ul',
            { class: 'legend' },
            ...OUTCOMES.map(({ name, color }) =>
              writeElement(
                'li',
                {},
                writeElement('span', { class: `swatch area b-${color}`, 'aria-hidden': 'true' }),
                name,
              ),
            ),
          ),
          drawShareBars(outcomes, widths.wide),
          outcomes.bars.some(({ parts }) => parts.some(part => part.name === 'late' && part.share > 0))
            ? writeParagraph('Late requests were successful, and missed a limit of --goodput.', 'hint')
            : '',
        )
      : '',
    repeats.length > 0 ? writeSection('repeats', 'Every run', columns(repeats)) : '',
  ].join('');
}

function writeServers(
  { server, groups }: SweepView,
  columns: (charts: readonly XyChart[]) => string,
): string {
  const { charts, zero, missing } = server;
  if (charts.length + zero.length + missing.length === 0) return '';
  const notes = [
    ...(zero.length > 0 ? [`Always 0: ${zero.join(', ')}.`] : []),
    ...(missing.length > 0
      ? [
          charts.length + zero.length === 0
            ? 'These results contain no server metrics that are known.'
            : `No server reports: ${missing.join(', ')}.`,
        ]
      : []),
  ];
  return writeSection(
    'servers-over-load',
    `The servers, by ${groups.load}`,
    charts.length > 0 ? columns(charts) : '',
    ...notes.map(note => writeParagraph(note, 'hint')),
  );
}

/** Says which points have a ring, or why none has. */
export function describeRings({ series }: XyChart): string {
  const points = series.flatMap(each => each.points);
  const ringed = points.filter(({ isRinged }) => isRinged).length;
  if (ringed > 0)
    return `${ringed === 1 ? 'The point with a ring is' : `${ringed} points with a ring are`} certainly Pareto-optimal: ${ringed === 1 ? 'its interval separates it' : 'their intervals separate them'} from all others.`;
  const hasIntervals = points.some(({ xHalf, yHalf }) => xHalf != null || yHalf != null);
  return hasIntervals
    ? 'No point is certainly Pareto-optimal, because intervals overlap.'
    : 'Without repeats there are no intervals, so no point is certainly Pareto-optimal.';
}
