import type { Formula } from './formula/formula.ts';
import { MetricNames } from './metricNames.ts';
import { type Labels, omitRepeatedSeries } from './seriesOverlap.ts';
import type {
  BuildInfo,
  Constants,
  SeriesOverlap,
  ServerDefinition,
  ServerKind,
} from './serverDefinition.ts';
import { readServerVersions, type ServerVersion } from './serverVersion.ts';

/** The kinds of servers, in the order in which requests reach them. */
const KINDS: readonly ServerKind[] = ['gateway', 'frontend', 'engine', 'cache', 'device'];

/** The servers whose metrics are understood. A catalog never changes. */
export class ServerCatalog {
  /** All servers, in the order in which summaries list them. */
  readonly servers: readonly ServerDefinition[];
  /** All servers, in the order in which requests reach them: gateways and frontends before engines. */
  readonly frontendsFirst: readonly ServerDefinition[];
  /** The formulas of derived metrics: the built-in ones, and those of definitions. */
  readonly formulas: readonly Formula[];
  /** The values that definitions set for formulas. */
  readonly constants: Constants;
  readonly #ownFormulas: readonly Formula[];
  readonly #prefixes: readonly string[];
  readonly #keyMetrics: ReadonlySet<string>;
  readonly #averaged: ReadonlySet<string>;
  readonly #overlaps: ReadonlyMap<string, SeriesOverlap>;
  readonly #names: MetricNames;
  #mentioned: ReadonlySet<string> | undefined;

  constructor(servers: readonly ServerDefinition[], formulas: readonly Formula[] = []) {
    this.servers = servers;
    this.#ownFormulas = formulas;
    const added = servers.flatMap(server => server.formulas ?? []);
    this.formulas = [...new Map([...formulas, ...added].map(formula => [formula.name, formula])).values()];
    this.constants = Object.assign({}, ...servers.map(server => server.constants));
    this.frontendsFirst = [...servers].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
    // A prefix that is only the server's with certain labels is part of the names of other servers' metrics.
    this.#prefixes = servers.flatMap(({ recognize: { prefixes, renamed = [], labels } }) =>
      labels === undefined ? [...prefixes, ...renamed] : [],
    );
    this.#keyMetrics = new Set(servers.flatMap(({ keyMetrics }) => keyMetrics.map(({ name }) => name)));
    this.#averaged = new Set(servers.flatMap(listAveragedMetrics));
    this.#overlaps = new Map(servers.flatMap(({ metrics = {} }) => Object.entries(metrics)));
    this.#names = new MetricNames(servers);
  }

  /** Returns a catalog with further servers. A server with the name of another one replaces it. */
  with(servers: readonly ServerDefinition[]): ServerCatalog {
    if (servers.length === 0) return this;
    const byName = new Map([...this.servers, ...servers].map(server => [server.name, server]));
    return new ServerCatalog([...byName.values()], this.#ownFormulas);
  }

  /**
   * Returns the servers that at least one of the metrics belongs to, in the order of `servers`. `readLabels` returns the
   * names of the labels of a metric; without it, names are sufficient.
   */
  recognize(
    metricNames: Iterable<string>,
    readLabels?: (metric: string) => readonly string[],
  ): ServerDefinition[] {
    const names = [...metricNames];
    return this.servers.filter(server => names.some(name => belongsTo(name, server, readLabels)));
  }

  /**
   * Returns the versions that the servers on an endpoint state in their metrics, in the order of `servers`. `readSeries`
   * returns the labels of all series of a metric. A server that states no version, or several, is left out.
   */
  readVersions(readSeries: (metric: string) => Iterable<Labels>): ServerVersion[] {
    return readServerVersions(this.servers, metric =>
      this.listNames(metric).map(name => [...readSeries(name)]),
    );
  }

  /** Reports whether a metric belongs to one of the servers, by its name and, if known, the names of its labels. */
  isKnown(name: string, labels?: readonly string[]): boolean {
    return this.servers.some(server => belongsTo(name, server, labels && (() => labels)));
  }

  /** Reports whether a metric is a key metric of a server. */
  isKeyMetric(name: string): boolean {
    return this.#keyMetrics.has(this.#names.resolve(name));
  }

  /** Reports whether figures or findings can use a metric of a server: whether a definition mentions one of its names. */
  isUsed(name: string): boolean {
    // `metrics` also describes metrics that nothing uses.
    this.#mentioned ??= new Set(this.servers.flatMap(({ metrics: _, ...figures }) => listTexts(figures)));
    return [name, this.#names.restore(name), this.#names.resolve(name)].some(each =>
      this.#mentioned!.has(each),
    );
  }

  /** Reports whether the values of a metric's series are averaged instead of added, such as hit rates. */
  isAveraged(name: string): boolean {
    return this.#averaged.has(this.#names.resolve(name)) || this.#averaged.has(name);
  }

  /** Lists the names under which servers export a metric, in order of preference: its own, older and renamed ones. */
  listNames(metric: string): readonly string[] {
    return this.#names.list(metric);
  }

  /** Returns the name that a server gave to a metric before it was renamed, such as by a monitoring system. */
  restoreName(name: string): string {
    return this.#names.restore(name);
  }

  /** Removes the server's prefix from the name of a metric, for output that already shows the server's name. */
  stripPrefix(name: string): string {
    return stripPrefix(name, this.#prefixes);
  }

  /** Selects the series of a metric that together count each request once; see `SeriesOverlap`. */
  omitRepeats<T>(metric: string, series: readonly T[], readLabels: (series: T) => Labels): readonly T[] {
    const overlap = this.#overlaps.get(this.#names.restore(metric));
    return overlap === undefined ? series : omitRepeatedSeries(series, overlap, readLabels);
  }
}

/** Removes the first of the prefixes that a name starts with. */
export function stripPrefix(name: string, prefixes: readonly string[]): string {
  const prefix = prefixes.find(candidate => name.startsWith(candidate));
  return prefix === undefined ? name : name.slice(prefix.length);
}

/** Reports whether a server passes requests to other servers. */
export function isForwarder({ kind }: Pick<ServerDefinition, 'kind'>): boolean {
  return kind === 'gateway' || kind === 'frontend';
}

/** Reports whether requests pass a server, in contrast to caches and devices. */
export function servesRequests({ kind }: Pick<ServerDefinition, 'kind'>): boolean {
  return kind === 'engine' || isForwarder({ kind });
}

function belongsTo(
  name: string,
  { recognize: { prefixes, metrics, renamed = [], labels, buildInfo = [] } }: ServerDefinition,
  readLabels?: (metric: string) => readonly string[],
): boolean {
  if (buildInfo.some(info => isBuildInfo(name, info, readLabels))) return true;
  const isNamed =
    prefixes.some(prefix => name.startsWith(prefix)) ||
    renamed.some(prefix => name.startsWith(prefix)) ||
    metrics?.includes(name) === true;
  if (!isNamed || labels === undefined || readLabels === undefined) return isNamed;
  return readLabels(name).some(label => labels.includes(label));
}

function isBuildInfo(
  name: string,
  { metric, labels = [] }: BuildInfo,
  readLabels?: (metric: string) => readonly string[],
): boolean {
  if (name !== metric || labels.length === 0) return name === metric;
  const names = readLabels?.(name);
  return names === undefined || labels.every(label => names.includes(label));
}

function listAveragedMetrics({ roles }: ServerDefinition): readonly string[] {
  return Object.values(roles)
    .filter(({ operation }) => operation === 'max' || operation === 'mean')
    .flatMap(({ metrics }) => metrics);
}

/** Lists all texts in a value, with the keys of objects. */
function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...listTexts(item)]);
}
