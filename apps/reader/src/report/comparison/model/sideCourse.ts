import type { Run } from '@org/analysis';
import type { PointAxis, TimeChart, Values } from '../../../svg/timeChartModel.ts';
import type { Timeline } from '../../document.ts';
import { buildCourse } from '../../model/buildCourse.ts';
import { readLoad } from '../../model/runLoad.ts';
import { ReadIssues } from '../../readIssues.ts';
import type { Side } from './sides.ts';

/** The charts of the runs of a benchmark. */
export interface SideCourse {
  readonly side: Side;
  readonly runs: readonly RunCourse[];
  /** Name files that could not be read. */
  readonly notes: readonly string[];
}

/** The charts of a run; without a timeline if it has no data over time. */
export interface RunCourse {
  readonly charts: readonly TimeChart[];
  readonly timeline?: Timeline;
}

/** A line of a chart. */
export interface Line {
  readonly values: Values;
  readonly axis: PointAxis;
  readonly metrics: readonly string[];
}

/** Reads the runs of a benchmark over time, one at a time. */
export async function readSideCourse(side: Side): Promise<SideCourse> {
  const issues = new ReadIssues();
  const runs: RunCourse[] = [];
  for (const run of side.runs) runs.push(await readRunCourse(run, issues));
  return { side, runs, notes: issues.notes };
}

/** Reads the charts of a run, with all times since the start of profiling. */
export async function readRunCourse(run: Run, issues: ReadIssues): Promise<RunCourse> {
  const { charts, timeline } = await buildCourse(run, readLoad(run), [], issues);
  return { charts, ...(timeline && { timeline }) };
}

/** Finds a line or an area of a chart by name. */
export function findLine({ charts }: RunCourse, chartId: string, name: string): Line | undefined {
  const chart = charts.find(({ id }) => id === chartId);
  const layer = chart?.layers.find(each => each.name === name);
  if (!chart || !layer || !('values' in layer)) return undefined;
  return { values: layer.values, axis: chart.axis, metrics: chart.metrics };
}

/** Returns the value of a line at a time; null outside of it. */
export function readAt({ values, axis }: Pick<Line, 'values' | 'axis'>, seconds: number): number | null {
  return values[Math.floor((seconds - axis.from) / axis.step)] ?? null;
}

/** Returns the value of a line at each point of another axis. */
export function sample(
  line: Pick<Line, 'values' | 'axis'>,
  { from, step }: PointAxis,
  count: number,
): Values {
  return Array.from({ length: count }, (_, i) => readAt(line, from + (i + 0.5) * step));
}
