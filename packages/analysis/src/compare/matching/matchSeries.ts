import { listSeries, type Run, type RunEndpoint } from '../../run/run.ts';
import { type RunFamily, type RunSeries, readSeriesLabels } from '../../run/series.ts';
import { findLabel } from '../../run/targetLabels.ts';
import { collectLabelValues, type LabelValues } from './labelValues.ts';
import { pairByTargetLabels } from './pairEndpoints.ts';
import { RandomParts } from './randomParts.ts';
import { type Rollup, rollUp, type SeriesValues, toSeriesValues } from './rollup.ts';
import { isVolatileLabel } from './volatileLabels.ts';

/** Options for matching the series of different runs. */
export interface MatchOptions {
  /** Labels to ignore; `endpoint_url` stands for the endpoint of a series. */
  readonly ignoreLabels?: readonly string[];
  /** Labels to match by; all others are ignored. */
  readonly by?: readonly string[];
  readonly rollup?: Rollup;
}

/** A series and its values in each run. */
export interface MatchedSeries {
  readonly name: string;
  readonly type: RunSeries['type'];
  readonly unit: string | null;
  /** The labels used for matching, including `endpoint_url` if a run has several endpoints. */
  readonly labels: Readonly<Record<string, string>>;
  /** The values in each run, base runs first; undefined for a run without the series. */
  readonly values: readonly (SeriesValues | undefined)[];
}

/** The matched series of several runs. */
export interface MatchResult {
  /** Created one at a time, and iterable once. */
  readonly matches: Iterable<MatchedSeries>;
  /** The labels that were ignored and the endpoints that were paired, as sentences. */
  readonly notes: readonly string[];
}

/** Metrics that identify a process or a run instead of measuring it. */
const IDENTITY_METRIC = /_info$|^process_start_time_seconds$|_created$|^benchmark_duration$/;

/**
 * Matches the series of several runs by metric, endpoint and labels. Endpoints with different names are
 * paired by the labels of their targets, and the others in order if both runs have the same number of them. Labels that identify a process or a host are
 * ignored if their values differ, and so are random parts of label values. If several series of one run have
 * the same key, they are combined, with the same rollup in every run.
 */
export function matchSeries(runs: readonly Run[], options: MatchOptions = {}): MatchResult {
  const notes: string[] = [];
  const aliases = runs.map((run, i) =>
    i === 0 ? new Map<string, string>() : mapEndpointNames(runs[0]!, run, notes),
  );
  const keys = new SeriesKeys(runs, options, notes);
  return { matches: generateMatches(runs, keys, aliases, options.rollup ?? 'auto'), notes };
}

/** Matches the series of one metric after the other: the groups of a metric are released before the next one. */
function* generateMatches(
  runs: readonly Run[],
  keys: SeriesKeys,
  aliases: readonly ReadonlyMap<string, string>[],
  rollup: Rollup,
): Generator<MatchedSeries> {
  for (const families of groupFamilies(runs))
    for (const group of groupSeries(families, keys, aliases).values())
      yield createMatch(omitRepeats(group, runs), rollup);
}

/** Groups the families of all runs by metric type and name. The index in a group is that of the run. */
function groupFamilies(runs: readonly Run[]): Iterable<readonly (RunFamily | undefined)[]> {
  const metrics = new Map<string, (RunFamily | undefined)[]>();
  for (const [index, { families }] of runs.entries())
    for (const family of families.values()) {
      if (IDENTITY_METRIC.test(family.name)) continue;
      const metric = `${family.type} ${family.name}`;
      const group = metrics.get(metric) ?? runs.map(() => undefined);
      group[index] = family;
      metrics.set(metric, group);
    }
  return metrics.values();
}

/** Groups the series of a metric by key. */
function groupSeries(
  families: readonly (RunFamily | undefined)[],
  keys: SeriesKeys,
  aliases: readonly ReadonlyMap<string, string>[],
): Map<number, Group> {
  const groups = new Map<number, Group>();
  for (const [index, family] of families.entries())
    for (const series of family?.series ?? []) {
      const key = keys.getKey(series, aliases[index]!);
      let group = groups.get(key);
      if (!group) {
        group = { labels: keys.getLabels(series, aliases[index]!), series: families.map(() => undefined) };
        groups.set(key, group);
      }
      const list = group.series[index];
      if (list) list.push(series);
      else group.series[index] = [series];
    }
  return groups;
}

/** Series with the same key, by run. */
interface Group {
  readonly labels: MatchedSeries['labels'];
  readonly series: (RunSeries[] | undefined)[];
}

/** Omits the series whose values other series of the same run and key repeat, so that they are combined once. */
function omitRepeats({ labels, series }: Group, runs: readonly Run[]): Group {
  const counted = series.map((list, index) =>
    list && list.length > 1
      ? [...runs[index]!.servers.omitRepeats(list[0]!.name, list, readSeriesLabels)]
      : list,
  );
  return { labels, series: counted };
}

function createMatch({ labels, series }: Group, rollup: Rollup): MatchedSeries {
  const { name, type, unit } = series.find(list => list !== undefined)![0]!;
  const needsRollup = series.some(list => list !== undefined && list.length > 1);
  const values = series.map(list => list && (needsRollup ? rollUp(list, rollup) : toSeriesValues(list[0]!)));
  return { name, type, unit, labels, values };
}

/** The pseudo-label for the endpoint of a series. Exports do not contain a label with this name. */
const ENDPOINT_LABEL = 'endpoint_url';

/**
 * Upper limit of text IDs. Memory is exhausted before this limit is reached, and a pair of IDs fits into one
 * safe integer.
 */
const MAX_TEXTS = 2 ** 26;

/** The parts of a series that it is matched by. */
type KeyedSeries = Pick<RunSeries, 'type' | 'endpoint' | 'labels'>;

/** Computes the keys that series are matched by: their endpoint and the labels that are not ignored. */
class SeriesKeys {
  /** The labels that `by` selects. */
  readonly #selected: ReadonlySet<string> | undefined;
  readonly #isKept: (label: string) => boolean;
  readonly #includesEndpoint: boolean;
  readonly #ids = new Map<string, number>();
  /** Cache of the previous series: the next series usually has the same label names, and often the same values. */
  #last: { all: readonly string[]; kept: readonly string[]; labels: MatchedSeries['labels']; id: number };

  readonly #random: RandomParts;

  constructor(runs: readonly Run[], { by, ignoreLabels = [] }: MatchOptions, notes: string[]) {
    const labelValues = runs.map(collectLabelValues);
    this.#random = new RandomParts(labelValues);
    this.#last = { all: [], kept: [], labels: {}, id: this.#getId('') };
    const ignored = new Set(ignoreLabels);
    const selected = by && new Set(by);
    this.#selected = selected;
    if (!selected)
      for (const label of findDifferingLabels(labelValues, ignored)) {
        ignored.add(label);
        notes.push(`label ${label} differs between runs and is ignored`);
      }
    this.#isKept = label => (selected ? selected.has(label) : !ignored.has(label));
    for (const label of this.#random.labels)
      if (this.#isKept(label))
        notes.push(`random parts of label ${label} differ between runs and are ignored`);
    // If every run has one endpoint, the endpoint does not distinguish series.
    this.#includesEndpoint =
      this.#isKept(ENDPOINT_LABEL) &&
      (selected !== undefined || runs.some(run => collectEndpoints(run).size > 1));
  }

  /** Returns a number that is equal for two series if and only if their labels and endpoints match. */
  getKey(unlabelled: RunSeries, aliases: ReadonlyMap<string, string>): number {
    const series = this.#addTargetLabels(unlabelled);
    const endpoint = this.#findEndpoint(series, aliases);
    return this.#getLabelsId(series) * MAX_TEXTS + (endpoint === undefined ? 0 : this.#getId(endpoint));
  }

  #getLabelsId(series: KeyedSeries): number {
    const names = this.#listKeptLabels(series);
    const { labels: previous, id } = this.#last;
    const isSame = names.every(name => previous[name] === series.labels[name]);
    if (isSame) return id;
    const values = names.map(name => this.#random.replace(name, series.labels[name]!));
    // The lengths make the text unambiguous.
    const text = names.map((name, i) => `${name}=${values[i]!.length}:${values[i]}`).join();
    this.#last = { ...this.#last, labels: series.labels, id: this.#getId(text) };
    return this.#last.id;
  }

  /** Returns the ID of a text; 0 is the ID of the empty text. */
  #getId(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(text, id);
    }
    return id;
  }

  getLabels(unlabelled: RunSeries, aliases: ReadonlyMap<string, string>): Record<string, string> {
    const series = this.#addTargetLabels(unlabelled);
    const endpoint = this.#findEndpoint(series, aliases);
    const kept = this.#listKeptLabels(series).map(name => [
      name,
      this.#random.replace(name, series.labels[name]!),
    ]);
    return Object.fromEntries(endpoint === undefined ? kept : [...kept, [ENDPOINT_LABEL, endpoint]]);
  }

  /** Adds the labels of the target that `by` selects. Without `by`, they are not matched: pods differ between runs. */
  #addTargetLabels(series: RunSeries): KeyedSeries {
    const added = [...(this.#selected ?? [])].filter(
      name => !Object.hasOwn(series.labels, name) && findLabel(series, name) !== undefined,
    );
    if (added.length === 0) return series;
    const labels = Object.fromEntries(added.map(name => [name, findLabel(series, name)!]));
    return { type: series.type, endpoint: series.endpoint, labels: { ...series.labels, ...labels } };
  }

  #findEndpoint({ endpoint, type }: KeyedSeries, aliases: ReadonlyMap<string, string>): string | undefined {
    return this.#includesEndpoint && type !== 'client' ? (aliases.get(endpoint) ?? endpoint) : undefined;
  }

  #listKeptLabels({ labels }: KeyedSeries): readonly string[] {
    const all = Object.keys(labels);
    const { all: previous, kept } = this.#last;
    if (all.length === previous.length && all.every((name, i) => name === previous[i])) return kept;
    const names = all.filter(this.#isKept).sort();
    this.#last = { all, kept: names, labels: {}, id: this.#getId('') };
    return names;
  }
}

function collectEndpoints(run: Run): Set<string> {
  const found = new Set(run.endpoints.map(({ name }) => name));
  for (const { endpoint, type } of listSeries(run)) if (type !== 'client') found.add(endpoint);
  return found;
}

/** Finds the labels that identify a process or a host and whose values differ between the runs. */
function findDifferingLabels(runs: readonly LabelValues[], ignored: ReadonlySet<string>): string[] {
  const names = new Set(runs.flatMap(values => [...values.keys()]));
  const serialize = (values: LabelValues, name: string): string =>
    JSON.stringify([...(values.get(name) ?? [])].sort());
  return [...names].filter(
    name =>
      isVolatileLabel(name) &&
      !ignored.has(name) &&
      runs.some(values => serialize(values, name) !== serialize(runs[0]!, name)),
  );
}

/** Maximum number of endpoint pairs that are noted individually. More pairs are summarized in one note. */
const MAX_PAIR_NOTES = 4;

/**
 * Pairs the endpoint names that occur only in `run` with the names that occur only in `first`: by the labels of their
 * targets, and the others in order if both runs have the same number of them.
 */
function mapEndpointNames(first: Run, run: Run, notes: string[]): Map<string, string> {
  const firstNames = listEndpointNames(first);
  const names = listEndpointNames(run);
  const [inFirst, inRun] = [new Set(firstNames), new Set(names)];
  const pairs = pairByTargetLabels(
    run.endpoints.filter(({ name }) => !inFirst.has(name)),
    first.endpoints.filter(({ name }) => !inRun.has(name)),
  );
  const paired = new Set(pairs.values());
  const onlyFirst = firstNames.filter(name => !inRun.has(name) && !paired.has(name));
  const onlyRun = names.filter(name => !inFirst.has(name) && !pairs.has(name));
  notePairs(pairs, 'by the labels of its target', run, notes);
  if (onlyFirst.length !== onlyRun.length) return pairs;
  const byPosition = new Map(onlyRun.map((name, i) => [name, onlyFirst[i]!]));
  if (firstNames.length > 1)
    notePairs(byPosition, onlyRun.length > MAX_PAIR_NOTES ? 'in order' : 'by position', run, notes);
  return new Map([...pairs, ...byPosition]);
}

/** Notes the pairs of endpoints, and why they were paired. */
function notePairs(pairs: ReadonlyMap<string, string>, how: string, run: Run, notes: string[]): void {
  if (pairs.size > MAX_PAIR_NOTES)
    notes.push(`${pairs.size} endpoints have different names in ${run.name}; they are compared ${how}`);
  else
    for (const [name, firstName] of pairs)
      notes.push(`endpoint ${name} is compared with ${firstName}, ${how}`);
}

function listEndpointNames(run: Run): string[] {
  const listed = run.endpoints.map(({ name }: RunEndpoint) => name);
  return listed.length > 0 ? listed : [...collectEndpoints(run)];
}
