import { formatValue } from '@org/core';
import uPlot from 'uplot';
import type { PercentileChart } from '../src/report/document.ts';
import { createAxisStyle, getChartWidth, keepUpToDate, X_AXIS_HEIGHT, Y_AXIS_WIDTH } from './chartStyle.ts';
import { createChartBox, enableCursorKeys } from './cursorKeys.ts';
import { createElement, createScrollBox, createSection } from './element.ts';
import { getColor, getFaintColor, getLineColorName } from './theme.ts';

/** Height of a chart, in pixels. */
const HEIGHT = 220;

/** Creates the section with the estimated percentiles of key histograms and their guaranteed bounds. */
export function createPercentileSection(charts: readonly PercentileChart[]): HTMLElement {
  return createSection(
    'percentiles',
    'Percentiles',
    createElement(
      'p',
      {},
      'Lines show percentiles estimated from histogram buckets, and bands their guaranteed lower and upper bounds.',
    ),
    ...charts.map(createFigure),
  );
}

function createFigure(chart: PercentileChart): HTMLElement {
  const box = createChartBox(`Percentiles of ${chart.name}; a table follows`);
  const percentReadout = createElement('span', { class: 'reading' });
  const valueReadouts = chart.series.map(() => createElement('span', { class: 'reading' }));
  const figure = createElement(
    'figure',
    {},
    createElement(
      'figcaption',
      {},
      createElement('strong', {}, chart.name),
      ` ${chart.meaning} `,
      percentReadout,
    ),
    box,
    createLegend(chart, valueReadouts),
    createTable(chart),
  );
  requestAnimationFrame(() =>
    drawChart(box, chart, index => {
      percentReadout.textContent = index === null ? '' : `p${chart.percents[index]}`;
      for (const [series, readout] of valueReadouts.entries())
        readout.textContent = index === null ? '' : formatEstimate(chart, series, index);
    }),
  );
  return figure;
}

/** Creates the legend of a chart. The readouts show the value of each line under the cursor. */
function createLegend({ series }: PercentileChart, readouts: readonly HTMLElement[]): HTMLElement {
  return createElement(
    'ul',
    { class: 'legend' },
    ...series.map(({ name }, i) =>
      createElement(
        'li',
        {},
        createElement('span', { class: `swatch ${getLineColorName(i)}` }),
        `${name} `,
        readouts[i]!,
      ),
    ),
  );
}

/** Formats an estimate with its guaranteed bounds, such as `1.25 s (1 s to 2 s)`. */
export function formatEstimate(
  { series, unit }: Pick<PercentileChart, 'series' | 'unit'>,
  seriesIndex: number,
  percentIndex: number,
): string {
  const { values, low, high } = series[seriesIndex]!;
  const format = (value: number | null | undefined): string =>
    value == null ? 'no data' : formatValue(value, unit);
  const [lower, upper] = [low[percentIndex], high[percentIndex]];
  const bounds = lower != null && upper != null ? ` (${format(lower)} to ${format(upper)})` : '';
  return `${format(values[percentIndex])}${bounds}`;
}

/** Describes one percentile of all series of a chart. */
export function describePercent(
  chart: Pick<PercentileChart, 'series' | 'unit' | 'percents'>,
  index: number,
): string {
  const estimates = chart.series.map(({ name }, i) => `${name} ${formatEstimate(chart, i, index)}`);
  return `p${chart.percents[index]}: ${estimates.join(', ')}`;
}

/** Creates a collapsed table of the values in a chart. */
function createTable({ name, percents, series, unit }: PercentileChart): HTMLElement {
  const headers = ['series', ...percents.map(percent => `p${percent}`)];
  const createCell = (value: number | null): HTMLElement =>
    createElement('td', { class: 'number' }, value === null ? '' : formatValue(value, unit));
  return createElement(
    'details',
    {},
    createElement('summary', {}, `Percentiles of ${name} as a table`),
    createScrollBox(
      `Percentiles of ${name}`,
      createElement(
        'table',
        {},
        createElement(
          'thead',
          {},
          createElement('tr', {}, ...headers.map(text => createElement('th', { scope: 'col' }, text))),
        ),
        createElement(
          'tbody',
          {},
          ...series.map(line =>
            createElement(
              'tr',
              {},
              createElement('th', { scope: 'row' }, line.name),
              ...line.values.map(createCell),
            ),
          ),
        ),
      ),
    ),
  );
}

function drawChart(box: HTMLElement, data: PercentileChart, onCursor: (index: number | null) => void): void {
  const { percents, series, unit } = data;
  const positions = percents.map((_, i) => i);
  const columns = series.flatMap(({ values, low, high }) => [[...values], [...low], [...high]]);
  const axis = createAxisStyle();
  const chart = new uPlot(
    {
      width: getChartWidth(box),
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.3, percents.length - 0.7] },
        y: { range: (_, low, high) => [Math.min(0, low), high * 1.05 || 1] },
      },
      // Each line is followed by two invisible series: its lower and upper bounds.
      series: [
        {},
        ...series.flatMap((_, i) => [
          { stroke: () => getColor(getLineColorName(i)), width: 2 },
          { stroke: 'transparent', points: { show: false } },
          { stroke: 'transparent', points: { show: false } },
        ]),
      ],
      bands: series.map((_, i) => ({
        series: [3 * i + 3, 3 * i + 2] as [number, number],
        fill: () => getFaintColor(getLineColorName(i)),
      })),
      axes: [
        {
          ...axis,
          splits: () => positions,
          values: (_, ticks) => ticks.map(tick => `p${percents[tick] ?? ''}`),
          size: X_AXIS_HEIGHT,
        },
        { ...axis, values: (_, ticks) => ticks.map(tick => formatValue(tick, unit)), size: Y_AXIS_WIDTH },
      ],
      hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
    },
    [positions, ...columns] as uPlot.AlignedData,
    box,
  );
  keepUpToDate(box, HEIGHT, () => chart);
  enableCursorKeys(box, chart, index => describePercent(data, index));
}
