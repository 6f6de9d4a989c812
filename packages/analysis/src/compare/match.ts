import { listSeries, type Run, type RunEndpoint } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { figuresOf, type Rollup, rollUp, type SeriesFigures } from './rollup.ts';

/** What makes two series of two runs one and the same. */
export interface MatchOptions {
  /** Labels that do not count; `endpoint_url` stands for where a series came from. */
  readonly ignoreLabels?: readonly string[];
  /** Only these labels count. */
  readonly by?: readonly string[];
  readonly rollup?: Rollup;
}

/** One series, seen in several runs. */
export interface MatchedSeries {
  readonly name: string;
  readonly type: RunSeries['type'];
  readonly unit: string | null;
  /** Those that count, by name; `endpoint_url` among them when it does. */
  readonly labels: Readonly<Record<string, string>>;
  /** By run, base runs first; undefined where it is not. */
  readonly figures: readonly (SeriesFigures | undefined)[];
}

export interface MatchResult {
  readonly matches: readonly MatchedSeries[];
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
export function matchSeries(runs: readonly Run[], options: MatchOptions = {}): MatchResult {
  const notes: string[] = [];
  const aliases = runs.map((run, i) =>
    i === 0 ? new Map<string, string>() : aliasesOf(runs[0]!, run, notes),
  );
  const identity = new Identity(runs, options, notes);
  const metrics = new Map<string, Map<number, Group>>();
  runs.forEach((run, index) => {
    for (const family of run.families.values()) {
      if (IDENTITY.test(family.name)) continue;
      const metric = `${family.type} ${family.name}`;
      const groups = metrics.get(metric) ?? new Map<number, Group>();
      metrics.set(metric, groups);
      for (const one of family.series) {
        const key = identity.key(one, aliases[index]!);
        const group = groups.get(key) ?? {
          labels: identity.labels(one, aliases[index]!),
          series: runs.map(() => undefined),
        };
        groups.set(key, group);
        const list = group.series[index];
        if (list) list.push(one);
        else group.series[index] = [one];
      }
    }
  });
  const matches: MatchedSeries[] = [];
  for (const groups of metrics.values())
    for (const group of groups.values()) matches.push(matchOf(group, options.rollup ?? 'auto'));
  return { matches, notes };
}

/** What is one and the same series, and may be several that share a name: those of each run. */
interface Group {
  readonly labels: MatchedSeries['labels'];
  readonly series: (RunSeries[] | undefined)[];
}

function matchOf({ labels, series }: Group, rollup: Rollup): MatchedSeries {
  const { name, type, unit } = series.find(list => list !== undefined)![0]!;
  const several = series.some(list => list !== undefined && list.length > 1);
  const figures = series.map(list => list && (several ? rollUp(list, rollup) : figuresOf(list[0]!)));
  return { name, type, unit, labels, figures };
}

/** The name of where a series came from, among its labels: no export has a label of that name. */
const PLACE = 'endpoint_url';

/** More different texts than memory has room for; two numbers below it make one that is exact. */
const MAX_TEXTS = 2 ** 26;

/** What makes a series one and the same in all runs: its labels that count. */
class Identity {
  readonly #isKept: (label: string) => boolean;
  readonly #withPlace: boolean;
  readonly #ids = new Map<string, number>();
  /** The series before: the next one mostly has the same label names, and often the same values. */
  #last: { all: readonly string[]; kept: readonly string[]; labels: MatchedSeries['labels']; id: number };

  constructor(runs: readonly Run[], { by, ignoreLabels = [] }: MatchOptions, notes: string[]) {
    this.#last = { all: [], kept: [], labels: {}, id: this.#idOf('') };
    const ignored = new Set(ignoreLabels);
    const kept = by && new Set(by);
    if (!kept)
      for (const label of differing(runs, ignored)) {
        ignored.add(label);
        notes.push(`label ${label} differs from run to run and is left out`);
      }
    this.#isKept = label => (kept ? kept.has(label) : !ignored.has(label));
    // With one endpoint in each run it tells nothing apart.
    this.#withPlace = this.#isKept(PLACE) && (kept !== undefined || runs.some(run => places(run).size > 1));
  }

  /** One number for all series of a metric that are the same: their labels, and their place. */
  key(one: RunSeries, aliases: ReadonlyMap<string, string>): number {
    const place = this.#placeOf(one, aliases);
    return this.#labelsId(one) * MAX_TEXTS + (place === undefined ? 0 : this.#idOf(place));
  }

  #labelsId(one: RunSeries): number {
    const names = this.#namesOf(one);
    const { labels: before, id } = this.#last;
    const isSame = names.every(name => before[name] === one.labels[name]);
    if (isSame) return id;
    // With their lengths, no two lists of values make the same text.
    const text = names.map(name => `${name}=${one.labels[name]!.length}:${one.labels[name]}`).join();
    this.#last = { ...this.#last, labels: one.labels, id: this.#idOf(text) };
    return this.#last.id;
  }

  /** 0 is that of the empty text. */
  #idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(text, id);
    }
    return id;
  }

  labels(one: RunSeries, aliases: ReadonlyMap<string, string>): Record<string, string> {
    const place = this.#placeOf(one, aliases);
    const own = this.#namesOf(one).map(name => [name, one.labels[name]!]);
    return Object.fromEntries(place === undefined ? own : [...own, [PLACE, place]]);
  }

  #placeOf({ endpoint, type }: RunSeries, aliases: ReadonlyMap<string, string>): string | undefined {
    return this.#withPlace && type !== 'client' ? (aliases.get(endpoint) ?? endpoint) : undefined;
  }

  #namesOf({ labels }: RunSeries): readonly string[] {
    const all = Object.keys(labels);
    const { all: before, kept } = this.#last;
    if (all.length === before.length && all.every((name, i) => name === before[i])) return kept;
    const names = all.filter(this.#isKept).sort();
    this.#last = { all, kept: names, labels: {}, id: this.#idOf('') };
    return names;
  }
}

function places(run: Run): Set<string> {
  const found = new Set(run.endpoints.map(({ name }) => name));
  for (const { endpoint, type } of listSeries(run)) if (type !== 'client') found.add(endpoint);
  return found;
}

/** Labels of places and processes whose values are not the same in all runs. */
function differing(runs: readonly Run[], ignored: ReadonlySet<string>): string[] {
  const values = runs.map(volatileValues);
  const names = new Set(values.flatMap(byLabel => [...byLabel.keys()]));
  const text = (found: Set<string> | undefined): string => JSON.stringify([...(found ?? [])].sort());
  return [...names].filter(
    name =>
      !ignored.has(name) && values.some(byLabel => text(byLabel.get(name)) !== text(values[0]!.get(name))),
  );
}

function volatileValues(run: Run): Map<string, Set<string>> {
  const byLabel = new Map<string, Set<string>>();
  const isVolatile = new Map<string, boolean>();
  for (const { labels } of listSeries(run))
    for (const label of Object.keys(labels)) {
      let fits = isVolatile.get(label);
      if (fits === undefined) {
        fits = VOLATILE.test(label);
        isVolatile.set(label, fits);
      }
      if (!fits) continue;
      const known = byLabel.get(label);
      if (known) known.add(labels[label]!);
      else byLabel.set(label, new Set([labels[label]!]));
    }
  return byLabel;
}

/** With more pairs than this the rule is said, and not each of them. */
const MAX_PAIRS = 4;

/** What the endpoints of a run are called in the first one: the same, or else in their order when there are as many. */
function aliasesOf(first: Run, run: Run, notes: string[]): Map<string, string> {
  const theirs = namesOf(first);
  const ours = namesOf(run);
  const known = { theirs: new Set(theirs), ours: new Set(ours) };
  const left = theirs.filter(name => !known.ours.has(name));
  const right = ours.filter(name => !known.theirs.has(name));
  if (left.length !== right.length) return new Map();
  if (right.length > MAX_PAIRS)
    notes.push(`${right.length} endpoints have other names in ${run.name}; they are compared in their order`);
  else if (theirs.length > 1)
    right.forEach((name, i) => {
      notes.push(`endpoint ${name} is compared with ${left[i]}, the one in its place`);
    });
  return new Map(right.map((name, i) => [name, left[i]!]));
}

function namesOf(run: Run): string[] {
  const listed = run.endpoints.map(({ name }: RunEndpoint) => name);
  return listed.length > 0 ? listed : [...places(run)];
}
