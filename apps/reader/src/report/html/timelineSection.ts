import { formatValue } from '@org/core';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import type { Column, Timeline } from '../document.ts';
import { writeChartFigure } from './chartFigure.ts';
import { writeTimeColumns } from './timeColumns.ts';

/** Writes the two columns of charts on one time axis, or the reason for their absence. */
export function writeTimelineSection(timeline: Timeline | undefined, isTooShort = false): string {
  if (!timeline)
    return writeSection(
      'timeline',
      'Over time',
      writeParagraph(
        isTooShort
          ? 'This run is too short for charts over time.'
          : 'This run contains no data over time. To record it, set --slice-duration, or export Parquet or JSONL.',
      ),
    );
  const { columns, rest } = levelColumns(timeline.columns);
  return writeTimeColumns(
    columns,
    timeline,
    'Nothing was measured here.',
    ...rest.map(column => writeRest(column, timeline)),
    writeParagraph(describeTimeline(timeline), 'hint'),
  );
}

/** Takes pairs of charts from the end of the longer column, so that both columns end side by side. */
function levelColumns(columns: Timeline['columns']): { columns: Column[]; rest: Column[] } {
  const least = Math.min(...columns.map(({ charts }) => charts.length));
  const count = ({ charts }: Column): number => charts.length - 2 * Math.floor((charts.length - least) / 2);
  return {
    columns: columns.map(column => ({ ...column, charts: column.charts.slice(0, count(column)) })),
    rest: columns
      .map(column => ({ title: `${column.title}, continued`, charts: column.charts.slice(count(column)) }))
      .filter(({ charts }) => charts.length > 0),
  };
}

function writeRest({ title, charts }: Column, timeline: Timeline): string {
  return (
    writeElement('h2', { class: 'rest' }, escapeText(title)) +
    writeElement('div', { class: 'columns' }, ...charts.map(chart => writeChartFigure(chart, timeline)))
  );
}

/** Describes the event at 0 s. */
export function describeClock({ start, marks }: Pick<Timeline, 'start' | 'marks'>): string {
  const event = marks.profiling ? 'the start of profiling' : 'the first scrape';
  return `0 s is ${event}, ${start.replace('T', ' ').replace('Z', ' UTC')}.`;
}

/** Describes the source of the charts, how much time a point covers, and what was always 0. */
export function describeTimeline(timeline: Timeline): string {
  const { source, step, sliceStep, zero, marks } = timeline;
  const parts = [
    describeClock(timeline),
    `Source: ${source}.`,
    `A point is the mean of ${formatValue(step, 'seconds')}; percentiles are those of ${formatValue(sliceStep, 'seconds')}. With fewer than 100 requests in that time, p99 is about the slowest one.`,
    ...(marks.profiling ? ['Time before and after the measurement has stripes.'] : []),
    'Drag across a chart to zoom all charts; double-click for the whole run. In a focused chart, arrow keys move the cursor, and L switches to a logarithmic axis.',
    ...(zero.length > 0 ? [`Always 0: ${zero.join(', ')}.`] : []),
  ];
  return parts.join(' ');
}

/** Writes the charts of further metrics, folded. */
export function writeMoreMetrics(timeline: Timeline | undefined): string {
  if (!timeline || timeline.more.length === 0) return '';
  return writeSection(
    'more-metrics',
    'More server metrics over time',
    writeElement(
      'div',
      { class: 'columns' },
      ...timeline.more.map(chart => writeChartFigure(chart, timeline)),
    ),
  );
}
