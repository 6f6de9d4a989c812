import type { DeclaredType } from '@org/scrape/exposition';
import type { Metadata, MetricMetadata } from '../api/metadata.ts';

/** The family of a metric name, and how its type is known. */
export interface ResolvedFamily {
  readonly name: string;
  readonly type: DeclaredType;
  readonly help: string;
  readonly unit?: string;
  /** The name of the sample, which always ends in `_total` for counters. */
  readonly sampleName: string;
  readonly source: TypeSource;
}

/**
 * `metadata`: the type that the server declared. `known_server`: the type in a known version of the server.
 * `name`: inferred from the name and the labels. `none`: unknown.
 */
export type TypeSource = 'metadata' | 'known_server' | 'name' | 'none';

/** Names and labels of the series of an endpoint, used to infer types. */
export interface NameEvidence {
  /** Reports whether a metric exists. */
  readonly has: (name: string) => boolean;
  /** Reports whether a metric has series with a `quantile` label. */
  readonly hasQuantiles: (name: string) => boolean;
}

/** The types of metrics of known servers, by name without `_total`. */
export type KnownTypes = ReadonlyMap<string, 'gauge' | 'counter' | 'histogram'>;

/** The suffixes of sample names, and the types of families that have them. */
const SUFFIXES: readonly (readonly [suffix: string, types: readonly string[]])[] = [
  ['_total', ['counter']],
  ['_created', ['counter', 'histogram', 'summary']],
  ['_bucket', ['histogram']],
  ['_sum', ['histogram', 'summary']],
  ['_count', ['histogram', 'summary']],
  ['_info', ['info']],
];

/** Types of Prometheus' metadata whose samples have the name of the metric, without a suffix. */
const PLAIN_TYPES: Readonly<Record<string, DeclaredType>> = {
  counter: 'counter',
  gauge: 'gauge',
  untyped: 'unknown',
  unknown: 'unknown',
  summary: 'summary',
  stateset: 'stateset',
  info: 'gauge',
};

/** Metrics that client libraries expose as gauges. */
const STANDARD_GAUGES = /^(?:process|go|python)_(?!.*_total$)|_info$|_created$/;

/** Determines the families of stored metric names: from metadata, from known servers, or from names and labels. */
export class FamilyResolver {
  readonly #metadata: Metadata;
  readonly #knownTypes: KnownTypes;

  constructor(metadata: Metadata, knownTypes: KnownTypes) {
    this.#metadata = metadata;
    this.#knownTypes = knownTypes;
  }

  /** Returns the family of a metric name of one endpoint. */
  resolve(name: string, evidence: NameEvidence): ResolvedFamily {
    return this.#findDeclared(name) ?? this.#findKnown(name, evidence) ?? inferFamily(name, evidence);
  }

  #findDeclared(name: string): ResolvedFamily | undefined {
    const own = this.#metadata.get(name);
    const plain = own && Object.hasOwn(PLAIN_TYPES, own.type) ? PLAIN_TYPES[own.type] : undefined;
    if (own && plain !== undefined) return createFamily(name, name, plain, 'metadata', own);
    for (const [suffix, types] of SUFFIXES) {
      if (!name.endsWith(suffix)) continue;
      const base = name.slice(0, -suffix.length);
      const declared = this.#metadata.get(base) ?? this.#metadata.get(`${base}_total`);
      if (declared && types.includes(declared.type))
        return createFamily(base, name, declared.type as DeclaredType, 'metadata', declared);
    }
    return undefined;
  }

  /** Finds a gauge or counter of a known server. Histograms are recognized by their buckets. */
  #findKnown(name: string, evidence: NameEvidence): ResolvedFamily | undefined {
    const base = name.endsWith('_total') ? name.slice(0, -'_total'.length) : name;
    const type = this.#knownTypes.get(name) ?? this.#knownTypes.get(base);
    if (type === undefined || type === 'histogram' || isPartOfComposite(name, evidence)) return undefined;
    return createFamily(name, name, type, 'known_server', { type, help: '' });
  }
}

/** Reports whether a name is the name of a sum, count or bucket of a histogram or summary. */
function isPartOfComposite(name: string, evidence: NameEvidence): boolean {
  return ['histogram', 'summary'].includes(inferFamily(name, evidence).type);
}

function inferFamily(name: string, { has, hasQuantiles }: NameEvidence): ResolvedFamily {
  const infer = (family: string, type: DeclaredType): ResolvedFamily =>
    createFamily(family, name, type, type === 'unknown' ? 'none' : 'name', { type, help: '' });
  if (name.endsWith('_bucket')) return infer(name.slice(0, -'_bucket'.length), 'histogram');
  const [, base] = /^(.+)_(?:sum|count)$/.exec(name) ?? [];
  if (base !== undefined && has(`${base}_bucket`)) return infer(base, 'histogram');
  if (base !== undefined && (hasQuantiles(base) || (has(`${base}_sum`) && has(`${base}_count`))))
    return infer(base, 'summary');
  if (hasQuantiles(name)) return infer(name, 'summary');
  if (name.endsWith('_total')) return infer(name, 'counter');
  return infer(name, STANDARD_GAUGES.test(name) ? 'gauge' : 'unknown');
}

function createFamily(
  family: string,
  sample: string,
  type: DeclaredType,
  source: TypeSource,
  { help, unit }: MetricMetadata,
): ResolvedFamily {
  const isTotal = type === 'counter' && !sample.endsWith('_created');
  const name = isTotal && family.endsWith('_total') ? family.slice(0, -'_total'.length) : family;
  return {
    name,
    type,
    help,
    ...(unit === undefined ? {} : { unit }),
    sampleName: isTotal ? `${name}_total` : sample,
    source,
  };
}
