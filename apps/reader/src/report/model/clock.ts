import type { DotPoint, Layer, PointAxis, TimeChart, TimeMarks } from '../../svg/timeChartModel.ts';
import type { ReportFinding, Timeline } from '../document.ts';
import type { Course } from './course.ts';
import type { HeatMap } from './distributions.ts';
import type { ReplicaRow } from './replica.ts';
import type { RequestDots } from './requestDots.ts';
import { roundSeconds } from './values.ts';

/** Moves a time to another clock. */
type Move = (seconds: number) => number;

/**
 * Moves everything with a time axis so that 0 s is `zero`, a time on the axis of traces. Findings count from the start of
 * profiling, so charts do as well; the time before it is negative.
 */
export function moveClock(course: Course, zero: number): Course {
  const move: Move = seconds => roundSeconds(seconds - zero);
  const { timeline, requests } = course;
  return {
    ...course,
    charts: course.charts.map(chart => moveChart(chart, move)),
    findings: course.findings.map(finding => moveFinding(finding, move)),
    heatMaps: course.heatMaps.map((map): HeatMap => ({ ...map, axis: moveAxis(map.axis, move) })),
    replicas: course.replicas.map((row): ReplicaRow => ({ ...row, axis: moveAxis(row.axis, move) })),
    ...(timeline && { timeline: moveTimeline(timeline, move, zero) }),
    ...(requests && { requests: moveRequests(requests, move) }),
  };
}

function moveTimeline(timeline: Timeline, move: Move, zero: number): Timeline {
  const [first, second] = timeline.columns;
  const moveAll = (charts: readonly TimeChart[]): TimeChart[] => charts.map(chart => moveChart(chart, move));
  return {
    ...timeline,
    range: moveRange(timeline.range, move),
    start: new Date(Date.parse(timeline.start) + Math.round(zero * 1000)).toISOString(),
    marks: moveMarks(timeline.marks, move),
    columns: [
      { ...first, charts: moveAll(first.charts) },
      { ...second, charts: moveAll(second.charts) },
    ],
    more: moveAll(timeline.more),
  };
}

function moveChart(chart: TimeChart, move: Move): TimeChart {
  return {
    ...chart,
    axis: moveAxis(chart.axis, move),
    layers: chart.layers.map(layer => moveLayer(layer, move)),
    ...(chart.load && { load: { ...chart.load, axis: moveAxis(chart.load.axis, move) } }),
  };
}

function moveLayer(layer: Layer, move: Move): Layer {
  if (layer.form === 'events') return { ...layer, times: layer.times.map(move) };
  if ('axis' in layer && layer.axis) return { ...layer, axis: moveAxis(layer.axis, move) };
  if (!('points' in layer)) return layer;
  return { ...layer, points: layer.points.map(([seconds, ...rest]): DotPoint => [move(seconds), ...rest]) };
}

function moveAxis({ from, step }: PointAxis, move: Move): PointAxis {
  return { from: move(from), step };
}

function moveRange([from, to]: readonly [number, number], move: Move): readonly [number, number] {
  return [move(from), move(to)];
}

function moveMarks({ profiling, intervals, moments }: TimeMarks, move: Move): TimeMarks {
  return {
    ...(profiling && { profiling: moveRange(profiling, move) }),
    intervals: intervals.map(each => ({ ...each, from: move(each.from), to: move(each.to) })),
    moments: moments.map(each => ({ ...each, seconds: move(each.seconds) })),
  };
}

function moveFinding(finding: ReportFinding, move: Move): ReportFinding {
  return { ...finding, intervals: finding.intervals.map(interval => moveRange(interval, move)) };
}

function moveRequests(requests: RequestDots, move: Move): RequestDots {
  return {
    ...requests,
    rows: requests.rows.map(row => ({ ...row, sent: move(row.sent) })),
  };
}
