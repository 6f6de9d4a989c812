import { max, mean } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import type { Heatmap, TimeChart, Timeline } from '../src/report/document.ts';
import { drawTimeChart } from './chart.ts';
import { createChartBox } from './cursorKeys.ts';
import { createButton, createElement, createSection } from './element.ts';
import { drawHeatmap } from './heatmap.ts';
import { formatTime } from './timeAxis.ts';
import { Zoom } from './zoom.ts';

/** Heights of charts, in pixels. */
const CHART_HEIGHT = 140;
const ENDPOINT_CHART_HEIGHT = 110;

/**
 * Creates the sections with the timeline, the charts per endpoint and the heat maps. All charts share one time
 * axis.
 */
export function createTimelineSections(timeline: Timeline): HTMLElement[] {
  const { seconds, binSeconds } = timeline;
  const zoom = new Zoom(seconds[0]! - binSeconds / 2, seconds.at(-1)! + binSeconds / 2);
  const sections = [
    createSection(
      'timeline',
      'Timeline',
      createElement('p', {}, describeTimeline(timeline)),
      createToolbar(zoom, timeline),
      ...timeline.charts.map(chart => createChartFigure(chart, timeline, zoom, CHART_HEIGHT)),
    ),
  ];
  if (timeline.charts.some(({ endpoints }) => endpoints))
    sections.push(createEndpointSection(timeline, zoom));
  if (timeline.heatmaps.length > 0)
    sections.push(
      createSection(
        'heatmaps',
        'Histograms over time',
        createElement('p', {}, 'The color intensity shows the number of observations in each bucket.'),
        ...timeline.heatmaps.map(heatmap => createHeatmapFigure(heatmap, timeline, zoom)),
      ),
    );
  return sections;
}

/** Describes the source of the data, the shading and the marks. */
export function describeTimeline({
  source,
  binSeconds,
  profiling,
  marks,
}: Pick<Timeline, 'source' | 'binSeconds' | 'profiling' | 'marks'>): string {
  const parts = [
    `Source: ${source}, with a point every ${formatValue(binSeconds, 'seconds')}.`,
    ...(profiling ? ['The time outside the profiling period is shaded.'] : []),
    ...(marks.length > 0
      ? [`Marks: ${marks.map(({ seconds, text }) => `${text} (${formatTime(seconds)})`).join(', ')}.`]
      : []),
  ];
  return parts.join(' ');
}

function createToolbar(zoom: Zoom, { start }: Timeline): HTMLElement {
  const range = createElement('output', { 'aria-live': 'polite', title: `0 s is ${start}` });
  const update = (): void => {
    range.textContent = zoom.range.map(formatTime).join(' to ');
  };
  zoom.onChange(update);
  update();
  return createElement(
    'div',
    { class: 'toolbar sticky', role: 'group', 'aria-label': 'Zoom of all time charts' },
    createButton('Zoom in', () => zoom.scaleBy(0.5)),
    createButton('Zoom out', () => zoom.scaleBy(2)),
    createButton('Earlier', () => zoom.moveBy(-0.5)),
    createButton('Later', () => zoom.moveBy(0.5)),
    createButton('Whole run', () => zoom.reset()),
    range,
    createElement(
      'span',
      { class: 'hint' },
      'Drag across a chart to zoom; double-click to show the whole run. Arrow keys move the cursor of the focused chart.',
    ),
  );
}

function createChartFigure(chart: TimeChart, timeline: Timeline, zoom: Zoom, height: number): HTMLElement {
  const { name, side, all: values } = chart;
  const readout = createElement('span', { class: 'reading' });
  const box = createChartBox(describeChart(chart));
  const figure = createElement(
    'figure',
    { class: 'time' },
    createElement(
      'figcaption',
      {},
      ...(side ? [createElement('span', { class: 'side' }, side), ' '] : []),
      createElement('strong', {}, name),
      ` ${formatCaption(chart)} `,
      readout,
    ),
    box,
  );
  const formatChartValue = createValueFormat(chart);
  drawWhenVisible(box, () => {
    drawTimeChart(box, {
      timeline,
      zoom,
      lines: [values],
      height,
      formatYTicks: ticks => ticks.map(formatChartValue),
      readout,
      describe: index => {
        const value = values[index] ?? null;
        return `${formatTime(timeline.seconds[index]!)}: ${value === null ? 'no data' : formatChartValue(value)}`;
      },
    });
  });
  return figure;
}

function createValueFormat({
  unit,
  unitSuffix,
}: Pick<TimeChart, 'unit' | 'unitSuffix'>): (value: number) => string {
  return value => `${formatValue(value, unit)}${unitSuffix}`;
}

function formatCaption({ meaning, combined, endpoints }: TimeChart): string {
  const combination = { sum: 'sum', mean: 'mean', max: 'maximum' }[combined];
  return endpoints ? `${meaning}; ${combination} of ${endpoints.length} endpoints` : meaning;
}

/** Describes a chart for screen readers: its range and average. */
export function describeChart(chart: Pick<TimeChart, 'name' | 'all' | 'unit' | 'unitSuffix'>): string {
  const values = chart.all.filter(value => value !== null);
  if (values.length === 0) return `${chart.name} over time: no data`;
  const format = createValueFormat(chart);
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), max(values)];
  return `${chart.name} over time: from ${format(low)} to ${format(high)}, average ${format(mean(values))}`;
}

/** Creates a section with a small chart per endpoint, for a metric that can be selected. */
function createEndpointSection(timeline: Timeline, zoom: Zoom): HTMLElement {
  const charts = timeline.charts.filter(({ endpoints }) => endpoints);
  const metric = createElement(
    'select',
    { id: 'endpoint-metric' },
    ...charts.map(({ name, meaning }, i) => createElement('option', { value: i }, `${name} (${meaning})`)),
  );
  const filter = createElement('input', { id: 'endpoint-filter', type: 'search', autocomplete: 'off' });
  const grid = createElement('div', { class: 'grid' });
  const update = (): void => {
    const { endpoints = [], ...chart } = charts[Number(metric.value)]!;
    const text = filter.value.toLowerCase();
    grid.replaceChildren(
      ...endpoints
        .filter(({ name }) => name.toLowerCase().includes(text))
        .map(({ name, values }) =>
          createChartFigure(
            { ...chart, name, meaning: '', all: values },
            timeline,
            zoom,
            ENDPOINT_CHART_HEIGHT,
          ),
        ),
    );
  };
  metric.addEventListener('change', update);
  filter.addEventListener('input', update);
  update();
  return createSection(
    'endpoints-over-time',
    'By endpoint',
    createElement(
      'div',
      { class: 'toolbar' },
      createElement('label', { for: 'endpoint-metric' }, 'Metric'),
      metric,
      createElement('label', { for: 'endpoint-filter' }, 'Filter endpoints'),
      filter,
    ),
    grid,
  );
}

function createHeatmapFigure(heatmap: Heatmap, timeline: Timeline, zoom: Zoom): HTMLElement {
  const readout = createElement('span', { class: 'reading' });
  const box = createChartBox(`${heatmap.name} over time as a heat map of ${heatmap.bounds.length} buckets`);
  drawWhenVisible(box, () => drawHeatmap(box, heatmap, timeline, zoom, readout));
  return createElement(
    'figure',
    { class: 'time' },
    createElement(
      'figcaption',
      {},
      createElement('strong', {}, heatmap.name),
      ` ${heatmap.meaning} `,
      readout,
    ),
    box,
  );
}

/**
 * Draws a chart when it becomes visible or receives focus, because drawing all charts at once would delay the page. All
 * charts are drawn before printing.
 */
function drawWhenVisible(box: HTMLElement, draw: () => void): void {
  let isDrawn = false;
  const drawOnce = (): void => {
    if (isDrawn || !box.isConnected) return;
    isDrawn = true;
    observer.disconnect();
    draw();
  };
  const observer = new IntersectionObserver(
    entries => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) drawOnce();
    },
    { rootMargin: '200px' },
  );
  observer.observe(box);
  box.addEventListener('focus', drawOnce);
  addEventListener('beforeprint', drawOnce);
}
