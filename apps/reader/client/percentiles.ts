import { formatValue } from '@org/core';
import uPlot from 'uplot';
import type { PercentileChart } from '../src/report/document.ts';
import { axisLook, follow, widthOf } from './chartStyle.ts';
import { chartBox, readByKeys } from './cursorKeys.ts';
import { element, section } from './element.ts';
import { color, faint } from './theme.ts';

const HEIGHT = 220;

/** Estimated percentiles of each key histogram, with their guaranteed bounds. */
export function percentileSection(charts: readonly PercentileChart[]): HTMLElement {
  return section(
    'percentiles',
    'Percentiles',
    element(
      'p',
      {},
      'Lines are estimates from histogram buckets. The band around a line shows guaranteed lower and upper bounds.',
    ),
    ...charts.map(percentileFigure),
  );
}

function percentileFigure(chart: PercentileChart): HTMLElement {
  const box = chartBox(`Percentiles of ${chart.name}; a table follows`);
  const place = element('span', { class: 'reading' });
  const values = chart.series.map(() => element('span', { class: 'reading' }));
  const made = element(
    'figure',
    {},
    element('figcaption', {}, element('strong', {}, chart.name), ` ${chart.meaning} `, place),
    box,
    legend(chart, values),
    table(chart),
  );
  requestAnimationFrame(() =>
    draw(box, chart, index => {
      place.textContent = index === null ? '' : `p${chart.percents[index]}`;
      for (const [i, one] of values.entries())
        one.textContent = index === null ? '' : estimateOf(chart, i, index);
    }),
  );
  return made;
}

/** The names of the lines, with their values under the cursor. */
function legend({ series }: PercentileChart, values: readonly HTMLElement[]): HTMLElement {
  return element(
    'ul',
    { class: 'legend' },
    ...series.map(({ name }, i) =>
      element('li', {}, element('span', { class: `swatch line-${i % 8}` }), `${name} `, values[i]!),
    ),
  );
}

/** Formats an estimate with its guaranteed bounds, such as `1.25 s (1 s to 2 s)`. */
function estimateOf({ series, unit }: PercentileChart, one: number, at: number): string {
  const { values, low, high } = series[one]!;
  const shown = (value: number | null | undefined): string =>
    value == null ? 'none' : formatValue(value, unit);
  const isKnown = low[at] != null && high[at] != null;
  return `${shown(values[at])}${isKnown ? ` (${shown(low[at])} to ${shown(high[at])})` : ''}`;
}

function readingOf(chart: PercentileChart, at: number): string {
  const all = chart.series.map(({ name }, i) => `${name} ${estimateOf(chart, i, at)}`);
  return `p${chart.percents[at]}: ${all.join(', ')}`;
}

/** The same values as a table. */
function table({ name, percents, series, unit }: PercentileChart): HTMLElement {
  const cell = (value: number | null): HTMLElement =>
    element('td', { class: 'number' }, value === null ? '' : formatValue(value, unit));
  return element(
    'details',
    {},
    element('summary', {}, `Percentiles of ${name} as a table`),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Percentiles of ${name}` },
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...['series', ...percents.map(p => `p${p}`)].map(text => element('th', { scope: 'col' }, text)),
          ),
        ),
        element(
          'tbody',
          {},
          ...series.map(one =>
            element('tr', {}, element('th', { scope: 'row' }, one.name), ...one.values.map(cell)),
          ),
        ),
      ),
    ),
  );
}

function draw(box: HTMLElement, data: PercentileChart, onCursor: (index: number | null) => void): void {
  const { percents, series, unit } = data;
  const places = percents.map((_, i) => i);
  const columns = series.flatMap(({ values, low, high }) => [[...values], [...low], [...high]]);
  const look = (i: number): string => `line-${i % 8}`;
  const axis = axisLook();
  const chart = new uPlot(
    {
      width: widthOf(box),
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.3, percents.length - 0.7] },
        y: { range: (_, low, high) => [Math.min(0, low), high * 1.05 || 1] },
      },
      series: [
        {},
        ...series.flatMap((_, i) => [
          { stroke: () => color(look(i)), width: 2 },
          { stroke: 'transparent', points: { show: false } },
          { stroke: 'transparent', points: { show: false } },
        ]),
      ],
      bands: series.map((_, i) => ({
        series: [3 * i + 3, 3 * i + 2] as [number, number],
        fill: () => faint(look(i)),
      })),
      axes: [
        {
          ...axis,
          splits: () => places,
          values: (_, ticks) => ticks.map(tick => `p${percents[tick] ?? ''}`),
          size: 34,
        },
        { ...axis, values: (_, ticks) => ticks.map(tick => formatValue(tick, unit)), size: 76 },
      ],
      hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
    },
    [places, ...columns] as uPlot.AlignedData,
    box,
  );
  follow(box, HEIGHT, () => chart);
  readByKeys(box, chart, at => readingOf(data, at));
}
