import { type Run, type RunEndpoint, seriesOf } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { type Figures, figuresOf, type Rollup, rolledUp } from './rollup.ts';

/** What makes two series of two runs one and the same. */
export interface MatchOptions {
  /** Labels that do not count; `endpoint` stands for where a series came from. */
  readonly ignoreLabels?: readonly string[];
  /** Only these labels count. */
  readonly by?: readonly string[];
  readonly rollup?: Rollup;
}

/** One series, seen in several runs. */
export interface Match {
  readonly name: string;
  readonly type: RunSeries['type'];
  readonly unit: string | null;
  /** Those that count, by name; `endpoint` among them when it does. */
  readonly labels: Readonly<Record<string, string>>;
  /** By run, base runs first; undefined where it is not. */
  readonly figures: readonly (Figures | undefined)[];
}

export interface Matching {
  readonly matches: readonly Match[];
  /** What was done to make them meet, in sentences. */
  readonly notes: readonly string[];
}

/** Labels that name a process or a place, and so differ from one start of a server to the next. */
const VOLATILE =
  /^(?:pid|process_id|port|instance|instance_id|host|hostname|node|pod|pod_name|container|container_id|worker|worker_id|lease_id)$/;

/** Series that say what a process is, and nothing of what it did. */
const IDENTITY = /_info$|^process_start_time_seconds$|_created$/;

/**
 * Puts the series of several runs side by side. Endpoints that are called otherwise are paired in their order when there
 * are as many; labels that name a process or a place are left out where their values differ. What then shares a name is
 * rolled up, in every run alike.
 */
export function match(runs: readonly Run[], options: MatchOptions = {}): Matching {
  const notes: string[] = [];
  const aliases = runs.map((run, i) =>
    i === 0 ? new Map<string, string>() : aliasesOf(runs[0]!, run, notes),
  );
  const counts = counting(runs, options, notes);
  const groups = new Map<
    string,
    { first: RunSeries; labels: Record<string, string>; series: RunSeries[][] }
  >();
  runs.forEach((run, index) => {
    for (const one of seriesOf(run)) {
      if (IDENTITY.test(one.name)) continue;
      const labels = counts(one, aliases[index]!);
      const key = keyOf(one, labels);
      let group = groups.get(key);
      if (!group) {
        group = { first: one, labels, series: runs.map(() => []) };
        groups.set(key, group);
      }
      group.series[index]!.push(one);
    }
  });
  const matches = [...groups.values()].map(({ first, labels, series }) => {
    const several = series.some(list => list.length > 1);
    const figures = series.map(list => {
      if (list.length === 0) return undefined;
      return several ? rolledUp(list, options.rollup ?? 'auto') : figuresOf(list[0]!);
    });
    return { name: first.name, type: first.type, unit: first.unit, labels, figures };
  });
  return { matches, notes };
}

/** Lengths in front keep apart what would read alike when it is joined. */
function keyOf({ name, type }: RunSeries, labels: Readonly<Record<string, string>>): string {
  let key = `${type} ${name}`;
  for (const [label, value] of Object.entries(labels).sort(byName))
    key += ` ${label.length}:${label}${value.length}:${value}`;
  return key;
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The labels of a series that count, as a function of it and of what its run's endpoints are called in the first run. */
function counting(
  runs: readonly Run[],
  { by, ignoreLabels = [] }: MatchOptions,
  notes: string[],
): (one: RunSeries, aliases: ReadonlyMap<string, string>) => Record<string, string> {
  const ignored = new Set(ignoreLabels);
  const kept = by && new Set(by);
  if (!kept)
    for (const label of differing(runs, ignored)) {
      ignored.add(label);
      notes.push(`label ${label} differs from run to run and is left out`);
    }
  const isKept = (label: string): boolean => (kept ? kept.has(label) : !ignored.has(label));
  // With one endpoint in each run it tells nothing apart.
  const withEndpoint = isKept('endpoint') && (kept !== undefined || runs.some(run => places(run).size > 1));
  return ({ labels, endpoint, type }, aliases) => {
    const own = Object.entries(labels).filter(([label]) => isKept(label));
    if (withEndpoint && type !== 'client') own.push(['endpoint', aliases.get(endpoint) ?? endpoint]);
    return Object.fromEntries(own);
  };
}

function places(run: Run): Set<string> {
  const found = new Set(run.endpoints.map(({ name }) => name));
  for (const { endpoint, type } of seriesOf(run)) if (type !== 'client') found.add(endpoint);
  return found;
}

/** Labels of places and processes whose values are not the same in all runs. */
function differing(runs: readonly Run[], ignored: ReadonlySet<string>): string[] {
  const values = runs.map(run => {
    const byLabel = new Map<string, Set<string>>();
    for (const { labels } of seriesOf(run))
      for (const label of Object.keys(labels)) {
        if (!VOLATILE.test(label)) continue;
        const known = byLabel.get(label);
        if (known) known.add(labels[label]!);
        else byLabel.set(label, new Set([labels[label]!]));
      }
    return byLabel;
  });
  const names = [...new Set(values.flatMap(byLabel => [...byLabel.keys()]))].filter(
    name => !ignored.has(name),
  );
  const text = (found: Set<string> | undefined): string => JSON.stringify([...(found ?? [])].sort());
  return names.filter(name => values.some(byLabel => text(byLabel.get(name)) !== text(values[0]!.get(name))));
}

/** What the endpoints of a run are called in the first one: the same, or else in their order when there are as many. */
function aliasesOf(first: Run, run: Run, notes: string[]): Map<string, string> {
  const theirs = namesOf(first);
  const ours = namesOf(run);
  const left = theirs.filter(name => !ours.includes(name));
  const right = ours.filter(name => !theirs.includes(name));
  if (left.length !== right.length) return new Map();
  if (theirs.length > 1)
    right.forEach((name, i) => {
      notes.push(`endpoint ${name} is compared with ${left[i]}, the one in its place`);
    });
  return new Map(right.map((name, i) => [name, left[i]!]));
}

function namesOf(run: Run): string[] {
  const listed = run.endpoints.map(({ name }: RunEndpoint) => name);
  return listed.length > 0 ? listed : [...places(run)];
}
