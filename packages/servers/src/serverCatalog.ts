import type { Formula } from './formula/formula.ts';
import { type Labels, omitRepeatedSeries } from './seriesOverlap.ts';
import type { Constants, SeriesOverlap, ServerDefinition } from './serverDefinition.ts';

/** The servers whose metrics are understood. A catalog never changes. */
export class ServerCatalog {
  /** All servers, in the order in which summaries list them. */
  readonly servers: readonly ServerDefinition[];
  /** All servers, frontends before engines. */
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

  constructor(servers: readonly ServerDefinition[], formulas: readonly Formula[] = []) {
    this.servers = servers;
    this.#ownFormulas = formulas;
    const added = servers.flatMap(server => server.formulas ?? []);
    this.formulas = [...new Map([...formulas, ...added].map(formula => [formula.name, formula])).values()];
    this.constants = Object.assign({}, ...servers.map(server => server.constants));
    this.frontendsFirst = [...servers].sort(
      (a, b) => Number(b.isFrontend ?? false) - Number(a.isFrontend ?? false),
    );
    this.#prefixes = servers.flatMap(({ recognize }) => recognize.prefixes);
    this.#keyMetrics = new Set(servers.flatMap(({ keyMetrics }) => keyMetrics.map(({ name }) => name)));
    this.#averaged = new Set(servers.flatMap(listAveragedMetrics));
    this.#overlaps = new Map(servers.flatMap(({ metrics = {} }) => Object.entries(metrics)));
  }

  /** Returns a catalog with further servers. A server with the name of another one replaces it. */
  with(servers: readonly ServerDefinition[]): ServerCatalog {
    if (servers.length === 0) return this;
    const byName = new Map([...this.servers, ...servers].map(server => [server.name, server]));
    return new ServerCatalog([...byName.values()], this.#ownFormulas);
  }

  /** Returns the servers that at least one of the metrics belongs to, in the order of `servers`. */
  recognize(metricNames: Iterable<string>): ServerDefinition[] {
    const names = [...metricNames];
    return this.servers.filter(server => names.some(name => belongsTo(name, server)));
  }

  /** Reports whether a metric belongs to one of the servers. */
  isKnown(name: string): boolean {
    return this.servers.some(server => belongsTo(name, server));
  }

  /** Reports whether a metric is a key metric of a server. */
  isKeyMetric(name: string): boolean {
    return this.#keyMetrics.has(name);
  }

  /** Reports whether the values of a metric's series are averaged instead of added, such as hit rates. */
  isAveraged(name: string): boolean {
    return this.#averaged.has(name);
  }

  /** Removes the server's prefix from the name of a metric, for output that already shows the server's name. */
  stripPrefix(name: string): string {
    return stripPrefix(name, this.#prefixes);
  }

  /** Selects the series of a metric that together count each request once; see `SeriesOverlap`. */
  omitRepeats<T>(metric: string, series: readonly T[], readLabels: (series: T) => Labels): readonly T[] {
    const overlap = this.#overlaps.get(metric);
    return overlap === undefined ? series : omitRepeatedSeries(series, overlap, readLabels);
  }
}

/** Removes the first of the prefixes that a name starts with. */
export function stripPrefix(name: string, prefixes: readonly string[]): string {
  const prefix = prefixes.find(candidate => name.startsWith(candidate));
  return prefix === undefined ? name : name.slice(prefix.length);
}

function belongsTo(name: string, { recognize: { prefixes, metrics } }: ServerDefinition): boolean {
  return prefixes.some(prefix => name.startsWith(prefix)) || metrics?.includes(name) === true;
}

function listAveragedMetrics({ roles }: ServerDefinition): readonly string[] {
  return Object.values(roles)
    .filter(({ operation }) => operation === 'max' || operation === 'mean')
    .flatMap(({ metrics }) => metrics);
}
