import { max, mean } from '@org/analysis/browser';
import { formatValue } from '@org/core';
import type uPlot from 'uplot';
import type { Heatmap, TimeChart, Timeline } from '../src/report/document.ts';
import { timeChart } from './chart.ts';
import { chartBox } from './cursorKeys.ts';
import { element, section } from './element.ts';
import { heatmap } from './heatmap.ts';
import { clock } from './timeAxis.ts';
import { Zoom } from './zoom.ts';

/** The timeline, the charts by endpoint, and the heat maps, on a common axis. */
export function timelineSections(timeline: Timeline): HTMLElement[] {
  const { seconds, binSeconds } = timeline;
  const zoom = new Zoom(seconds[0]! - binSeconds / 2, seconds.at(-1)! + binSeconds / 2);
  const sections = [
    section(
      'timeline',
      'Timeline',
      about(timeline),
      toolbar(zoom, timeline),
      ...timeline.charts.map(chart => chartFigure(chart, timeline, zoom, chart.all, 140)),
    ),
  ];
  if (timeline.charts.some(({ endpoints }) => endpoints)) sections.push(endpointSection(timeline, zoom));
  if (timeline.heatmaps.length > 0)
    sections.push(
      section(
        'heatmaps',
        'Histograms over time',
        element('p', {}, 'A stronger color means more observations in a bucket at that time.'),
        ...timeline.heatmaps.map(one => heatmapFigure(one, timeline, zoom)),
      ),
    );
  return sections;
}

function about({ source, binSeconds, profiling, marks }: Timeline): HTMLElement {
  const shaded = profiling ? ' The time outside of the profiling period is shaded.' : '';
  const parts = [
    `Source: ${source}, ${formatValue(binSeconds, 'seconds')} per point.${shaded}`,
    ...(marks.length > 0
      ? [`Marks: ${marks.map(({ seconds, text }) => `${clock(seconds)} ${text}`).join(', ')}.`]
      : []),
  ];
  return element('p', {}, parts.join(' '));
}

function toolbar(zoom: Zoom, { start }: Timeline): HTMLElement {
  const shown = element('output', { 'aria-live': 'polite' });
  const button = (name: string, act: () => void): HTMLButtonElement => {
    const made = element('button', { type: 'button' }, name);
    made.addEventListener('click', act);
    return made;
  };
  const tell = (): void => {
    const [from, to] = zoom.range;
    shown.textContent = `${clock(from)} to ${clock(to)}`;
    shown.title = `0 s is ${start}`;
  };
  zoom.onChange(tell);
  tell();
  return element(
    'div',
    { class: 'toolbar sticky', role: 'group', 'aria-label': 'Zoom of all charts over time' },
    button('Zoom in', () => zoom.by(0.5)),
    button('Zoom out', () => zoom.by(2)),
    button('Earlier', () => zoom.move(-0.5)),
    button('Later', () => zoom.move(0.5)),
    button('Whole run', () => zoom.reset()),
    shown,
    element(
      'span',
      { class: 'hint' },
      'Drag over a chart to zoom, double-click to show the whole run. Arrow keys read the values of the focused chart.',
    ),
  );
}

function chartFigure(
  chart: TimeChart,
  timeline: Timeline,
  zoom: Zoom,
  values: readonly (number | null)[],
  height: number,
  name = chart.name,
): HTMLElement {
  const reading = element('span', { class: 'reading' });
  const box = chartBox(spoken(chart, name, values));
  const made = element(
    'figure',
    { class: 'time' },
    element(
      'figcaption',
      {},
      ...(chart.side ? [element('span', { class: 'side' }, chart.side), ' '] : []),
      element('strong', {}, name),
      ` ${caption(chart)} `,
      reading,
    ),
    box,
  );
  const show = shownAs(chart);
  whenSeen(box, () => {
    timeChart(box, {
      timeline,
      zoom,
      lines: [values],
      height,
      yValues: ticks => ticks.map(show),
      reading,
      read: index => readingOf(timeline, index, values[index] ?? null, show),
    });
  });
  return made;
}

function shownAs({ unit, per }: TimeChart): (value: number) => string {
  return value => `${formatValue(value, unit)}${per}`;
}

function caption({ meaning, combined, endpoints }: TimeChart): string {
  const how = { sum: 'sum', mean: 'mean', max: 'highest' }[combined];
  return endpoints ? `${meaning}; ${how} of ${endpoints.length} endpoints` : meaning;
}

function readingOf(
  { seconds }: Timeline,
  index: number,
  value: number | null,
  show: (value: number) => string,
): string {
  return `${clock(seconds[index]!)}: ${value === null ? 'none' : show(value)}`;
}

/** Describes a chart for screen readers. */
function spoken(chart: TimeChart, name: string, values: readonly (number | null)[]): string {
  const known = values.filter(value => value !== null);
  if (known.length === 0) return `${name} over time: no values`;
  const show = shownAs(chart);
  const [low, high] = [known.reduce((a, b) => Math.min(a, b)), max(known)];
  return `${name} over time: from ${show(low)} to ${show(high)}, average ${show(mean(known))}`;
}

/** A small chart per endpoint of the chosen metric. */
function endpointSection(timeline: Timeline, zoom: Zoom): HTMLElement {
  const charts = timeline.charts.filter(({ endpoints }) => endpoints);
  const choice = element(
    'select',
    { id: 'endpoint-metric' },
    ...charts.map(({ name, meaning }, i) => element('option', { value: i }, `${name} (${meaning})`)),
  );
  const filter = element('input', { id: 'endpoint-filter', type: 'search', autocomplete: 'off' });
  const grid = element('div', { class: 'grid' });
  const fill = (): void => {
    const chart = charts[Number(choice.value)]!;
    const wanted = filter.value.toLowerCase();
    const found = chart.endpoints!.filter(({ name }) => name.toLowerCase().includes(wanted));
    grid.replaceChildren(
      ...found.map(({ name, values }) =>
        chartFigure(
          { ...chart, meaning: '', endpoints: undefined } as never,
          timeline,
          zoom,
          values,
          110,
          name,
        ),
      ),
    );
  };
  choice.addEventListener('change', fill);
  filter.addEventListener('input', fill);
  fill();
  return section(
    'endpoints-over-time',
    'By endpoint',
    element(
      'div',
      { class: 'toolbar' },
      element('label', { for: 'endpoint-metric' }, 'Metric'),
      choice,
      element('label', { for: 'endpoint-filter' }, 'Endpoint contains'),
      filter,
    ),
    grid,
  );
}

function heatmapFigure(map: Heatmap, timeline: Timeline, zoom: Zoom): HTMLElement {
  const reading = element('span', { class: 'reading' });
  const box = chartBox(`${map.name} over time as a heat map of ${map.bounds.length} buckets`);
  whenSeen(box, () => heatmap(box, map, timeline, zoom, reading));
  return element(
    'figure',
    { class: 'time' },
    element('figcaption', {}, element('strong', {}, map.name), ` ${map.meaning} `, reading),
    box,
  );
}

/**
 * Draws a chart when it becomes visible or gets the focus: drawing sixty charts at once would delay the page.
 * Printing draws all.
 */
function whenSeen(box: HTMLElement, draw: () => uPlot | void): void {
  let drawn = false;
  const once = (): void => {
    if (drawn || !box.isConnected) return;
    drawn = true;
    observer.disconnect();
    draw();
  };
  const observer = new IntersectionObserver(
    entries => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) once();
    },
    { rootMargin: '200px' },
  );
  observer.observe(box);
  box.addEventListener('focus', once);
  addEventListener('beforeprint', once);
}
