import { CLIENT_ENDPOINT } from '@org/analysis';
import { stackAreas } from '../../svg/extent.ts';
import type { LineLayer, TimeChart, Values } from '../../svg/timeChartModel.ts';
import type { Timeline } from '../document.ts';
import type { HeatMap, Ladder, LadderLine } from './distributions.ts';

/** Adds the main line of the baseline to each chart over time that the baseline has as well. */
export function addBaselineToTimeline(timeline: Timeline, base: Timeline | undefined): Timeline {
  if (!base) return timeline;
  const baseCharts = [...base.columns.flatMap(({ charts }) => charts), ...base.more];
  const addAll = (charts: readonly TimeChart[]): TimeChart[] =>
    charts.map(chart =>
      addBaseline(
        chart,
        baseCharts.find(({ id }) => id === chart.id),
      ),
    );
  const [first, second] = timeline.columns;
  return {
    ...timeline,
    columns: [
      { ...first, charts: addAll(first.charts) },
      { ...second, charts: addAll(second.charts) },
    ],
    more: addAll(timeline.more),
  };
}

function addBaseline(chart: TimeChart, base: TimeChart | undefined): TimeChart {
  const main = base && findMainValues(base);
  if (!main) return chart;
  const line: LineLayer = {
    form: 'line',
    name: `baseline ${main.name}`,
    color: 'grey',
    isDashed: true,
    axis: base.axis,
    values: main.values,
  };
  return { ...chart, layers: [...chart.layers, line] };
}

/** Lines that are not what a chart is about. */
const OTHER_LINES: ReadonlySet<string> = new Set(['sent', 'client p50']);

/** Finds the values that stand for a chart: the median, its first line, or the sum of its areas. */
function findMainValues({ layers }: TimeChart): { name: string; values: Values } | undefined {
  const lines = layers.flatMap(layer => (layer.form === 'line' || layer.form === 'step' ? [layer] : []));
  const median = lines.find(({ name }) => /^p50/.test(name));
  const line = median ?? lines.find(({ name }) => !OTHER_LINES.has(name));
  if (line) return line;
  const areas = stackAreas(layers);
  const top = areas.at(-1);
  return top && { name: areas.length > 1 ? 'total' : top.layer.name, values: top.upper };
}

/** The charts over time of the latencies that heat maps show. */
const HEAT_CHARTS: Readonly<Record<string, string>> = {
  'heat-client': 'client-ttft',
  'heat-server': 'server-ttft',
};

/** Adds the median of the baseline over time to each heat map. */
export function addBaselineToHeatMaps(maps: readonly HeatMap[], base: Timeline | undefined): HeatMap[] {
  const charts = base?.columns.flatMap(column => column.charts) ?? [];
  return maps.map(map => {
    const chart = charts.find(({ id }) => id === HEAT_CHARTS[map.id]);
    const median = chart?.layers.find(({ name }) => /^p50/.test(name));
    if (!chart || !median || !('values' in median)) return map;
    return { ...map, baseline: { axis: chart.axis, values: median.values } };
  });
}

/** Adds the percentiles of the baseline: the client's and, with one series in both runs, the servers'. */
export function addBaselineToLadders(ladders: readonly Ladder[], base: readonly Ladder[]): Ladder[] {
  return ladders.map(ladder => {
    const lines = base.find(({ id }) => id === ladder.id)?.lines ?? [];
    const added = [true, false].flatMap(isClient => {
      const [own, other] = [ladder.lines, lines].map(list =>
        list.filter(({ name }) => (name === CLIENT_ENDPOINT) === isClient),
      );
      return own!.length === 1 && other!.length === 1 ? [toBaselineLine(other![0]!)] : [];
    });
    return { ...ladder, lines: [...ladder.lines, ...added] };
  });
}

/** Draws a line of the baseline in dashed grey. Bounds are left out, because they would cover the bounds of the run. */
function toBaselineLine({ name, values }: LadderLine): LadderLine {
  return { name: `baseline ${name}`, color: 'grey', values, isDashed: true };
}
