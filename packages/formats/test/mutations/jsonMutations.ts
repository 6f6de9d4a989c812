import { RawJson, type Site, type Tree } from './jsonTree.ts';

/**
 * What a validator must do with a mutated document: reject it (`error`), report it (an error or a warning), or accept
 * it without an error.
 */
export type Outcome = 'error' | 'reported' | 'valid';

/** A change of a JSON document at one place. */
export interface JsonMutation {
  readonly name: string;
  /** Matches the names of files that the mutation applies to; all files by default. */
  readonly files?: RegExp;
  /** Matches the paths of places, with `/` between keys. */
  readonly at: RegExp;
  /** Reports whether the outcome is known at a place. */
  readonly when?: (site: Site) => boolean;
  /** Changes the document at a place. */
  readonly change: (site: Site) => void;
  readonly outcome: Outcome;
}

const set =
  (compute: (value: never, site: Site) => unknown) =>
  (site: Site): void => {
    site.parent[site.key] = compute(site.value as never, site);
  };
const remove = (site: Site): void => {
  if (Array.isArray(site.parent)) site.parent.splice(site.key as number, 1);
  else delete site.parent[site.key];
};
const repeat = (site: Site): void => {
  (site.parent as unknown as unknown[]).splice(site.key as number, 0, structuredClone(site.value));
};
const swapWithNext = ({ parent, key }: Site): void => {
  const next = (key as number) + 1;
  [parent[key], parent[next]] = [parent[next], parent[key]];
};
const swapFields = (first: string, second: string) => (site: Site) => {
  const fields = site.value as Tree;
  [fields[first], fields[second]] = [fields[second], fields[first]];
};
const reverseKeys = ({ parent, key, value }: Site): void => {
  parent[key] = Object.fromEntries(Object.entries(value as Tree).reverse());
};

/** Restricts mutations to the files whose names match. */
const inFiles = (files: RegExp, mutations: readonly JsonMutation[]): readonly JsonMutation[] =>
  mutations.map(mutation => ({ files, ...mutation }));

const isNumber = ({ value }: Site): boolean => typeof value === 'number' || typeof value === 'bigint';
const isPositive = ({ value }: Site): boolean => Number(value) > 0;
const isInteger = ({ value }: Site): boolean => typeof value === 'bigint' || Number.isInteger(value);
const isText = ({ value }: Site): boolean => typeof value === 'string';
const isObject = ({ value }: Site): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const has =
  (...names: string[]) =>
  ({ value }: Site): boolean =>
    isObject({ value } as Site) && names.every(name => (value as Tree)[name] != null);
const differ =
  (first: string, second: string) =>
  ({ value }: Site): boolean =>
    has(first, second)({ value } as Site) && (value as Tree)[first] !== (value as Tree)[second];
const hasNext = ({ parent, key }: Site): boolean =>
  Array.isArray(parent) && (key as number) + 1 < parent.length;

/** Data of users, and fields of unknown documents, which can have any type. */
const FREE =
  /(^|\/)(input_config|run_info|parameters|values|labels|error_details|error|payloads?|numbers)(\/|$)/;
const isTyped = ({ text }: Site): boolean => !FREE.test(text);
const STATS = /(^|\/)stats$/;
const SERVER = /^server-metrics(?!-legacy).*\.json$|server_metrics_export\.json$/;
const PROFILE = /^profile-export-.*\.json$|profile_export_aiperf\.json$/;
const SLICES = /timeslices\.json$/;
const SERVER_RECORDS = /^server-metrics\.jsonl$|server_metrics_export\.jsonl$/;
const REQUESTS = /^profile-export\.jsonl$|profile_export\.jsonl$/;
const AGGREGATE = /aggregate\.json$/;
const COLLATED = /collated\.json$/;
const SWEEP = /sweep(-aiperf)?\.json$/;
const SERIES = /^metrics\/[^/]*\/series\/\d+$/;
/** Statistics whose value cannot be negative. */
const COUNTS =
  /(^|\/)(total_fetches|unique_updates|scrapes_failed|scrapes_late|samples_dropped|lines_dropped|bytes_received|count|total|rate|count_rate|resets|observation_count|rate_per_second|duration_seconds|avg_fetch_latency_ms|num_profile_runs|num_successful_runs|num_combinations|std|cv|se|turn_index|session_num|endpoint_latency_ns|buckets\/[^/]*)$/;

const TYPES: readonly JsonMutation[] = [
  ['a number as text', isNumber, (value: number) => String(value)],
  ['a number as true', isNumber, () => true],
  ['a number in an array', isNumber, (value: number) => [value]],
  ['a number outside the range of doubles', isNumber, () => new RawJson('1e400')],
  ['NaN instead of a number', isNumber, () => new RawJson('NaN')],
  ['a hexadecimal number', isNumber, () => new RawJson('0x10')],
  ['an object instead of a number', isNumber, () => ({})],
].map(([name, when, change]) => ({
  name: name as string,
  at: /./,
  when: site => isTyped(site) && (when as (site: Site) => boolean)(site),
  change: set(change as () => unknown),
  outcome: 'error',
}));

const SPELLINGS: readonly JsonMutation[] = [
  ['an integer with a decimal point', (value: bigint) => `${value}.0`],
  ['an integer with an exponent of 0', (value: bigint) => `${value}e0`],
  ['an integer with a negative exponent', (value: bigint) => `${value}000e-3`],
].map(([name, format]) => ({
  name: name as string,
  at: /./,
  when: site => isInteger(site) && Number(site.value) !== 0 && isTyped(site),
  change: set((value: bigint) => new RawJson((format as (value: bigint) => string)(value))),
  outcome: 'valid',
}));

const TIMES: readonly JsonMutation[] = [
  {
    name: 'nanoseconds with a fraction',
    at: /_ns$/,
    when: isNumber,
    change: set((value: bigint) => new RawJson(`${value}.5`)),
    outcome: 'error',
  },
  ...[1_000n, 1_000_000n, 1_000_000_000n].map(
    (factor): JsonMutation => ({
      name: `nanoseconds divided by ${factor}`,
      at: /(?<!latency|duration)_ns$/,
      when: ({ value }) => typeof value === 'bigint' && value > 10n ** 18n,
      change: set((value: bigint) => value / factor),
      outcome: 'error',
    }),
  ),
  {
    name: 'nanoseconds beyond 64 bits',
    at: /_ns$/,
    when: isNumber,
    change: set(() => new RawJson('99999999999999999999')),
    outcome: 'error',
  },
  ...[
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T25:00:00Z',
    'yesterday',
    '',
    '1772000000',
  ].map(
    (time): JsonMutation => ({
      name: `the time ${JSON.stringify(time)}`,
      at: /(start|end)_time$/,
      when: isText,
      change: set(() => time),
      outcome: 'error',
    }),
  ),
  {
    name: 'start and end in the wrong order',
    at: /^summary$/,
    files: SERVER,
    change: swapFields('start_time', 'end_time'),
    outcome: 'error',
  },
  {
    name: 'start and end of profiling in the wrong order',
    at: /^summary$/,
    files: SERVER,
    when: has('profiling_start_ns'),
    change: swapFields('profiling_start_ns', 'profiling_end_ns'),
    outcome: 'error',
  },
];

const STRUCTURE: readonly JsonMutation[] = [
  {
    name: 'reversed keys',
    at: /./,
    when: site => isObject(site),
    change: reverseKeys,
    outcome: 'valid',
  },
  {
    name: 'an additional field',
    at: /(^|\/)(summary|stats|metadata|\d+)$/,
    when: site => isObject(site) && isTyped(site) && !/pareto|server_metrics.*stats$/.test(site.text),
    change: ({ value }) => {
      (value as Tree).additional_field = 'text';
    },
    outcome: 'valid',
  },
  {
    name: 'a negative count, total, rate or duration',
    at: COUNTS,
    // The sum of a histogram can fall, and its rate in the flat layout is called rate_per_second.
    when: site =>
      isTyped(site) &&
      isNumber(site) &&
      !(site.key === 'rate_per_second' && 'observation_count' in site.parent),
    change: set((value: number | bigint) => -value || -1),
    outcome: 'error',
  },
  {
    name: 'a fraction of a count',
    at: /(total_fetches|unique_updates|scrapes_failed|scrapes_late|resets|num_profile_runs|num_successful_runs|num_combinations|turn_index|session_num|timeslice_index)$|stats\/count$|(?<!server_metrics\/.*)metrics\/[^/]*\/series\/\d+\/buckets\/[^/]*$/,
    files: /\.json$|^profile.*jsonl$/,
    when: isNumber,
    change: set((value: bigint) => new RawJson(`${value}.5`)),
    outcome: 'error',
  },
  {
    name: 'a missing required field',
    at: /(^|\/)(summary|metrics|series|type|endpoint_url|endpoints_configured|endpoints_successful|endpoint_info|start_time|stats|timestamp_ns|endpoint_latency_ns|request_start_ns|request_end_ns|unit|metadata|mean|per_combination_metrics|num_combinations|num_profile_runs|timeslices)$/,
    when: ({ text, value }) =>
      isTyped({ text } as Site) &&
      value != null &&
      !/legacy/.test(text) &&
      !/^start_time$|series\/\d+\/timeslices$|metrics\/[^/]*\/unit$|best_config|telemetry_data|^data\/summary/.test(
        text,
      ) &&
      !/(^|\/)server_metrics($|\/)|endpoint_info\/|family_types\/|import\/targets\//.test(text),
    change: remove,
    outcome: 'error',
  },
];

const SERVER_METRICS = inFiles(SERVER, [
  { name: 'a repeated series', at: SERIES, change: repeat, outcome: 'error' },
  { name: 'series in another order', at: SERIES, when: hasNext, change: swapWithNext, outcome: 'valid' },
  {
    name: 'an unknown metric type',
    at: /^metrics\/[^/]*\/type$/,
    change: set(() => 'guage'),
    outcome: 'error',
  },
  {
    name: 'a gauge as a counter',
    at: /^metrics\/[^/]*\/type$/,
    when: ({ value, parent }) => value === 'gauge' && (parent.series as unknown[]).length > 0,
    change: set(() => 'counter'),
    outcome: 'error',
  },
  {
    name: 'a counter as a gauge',
    at: /^metrics\/[^/]*\/type$/,
    when: ({ value }) => value === 'counter',
    change: set(() => 'gauge'),
    outcome: 'error',
  },
  {
    name: 'a gauge as an unknown metric',
    at: /^metrics\/[^/]*\/type$/,
    when: ({ value }) => value === 'gauge',
    change: set(() => 'unknown'),
    outcome: 'valid',
  },
  {
    name: 'the endpoint of a series is not listed',
    at: /^metrics\/[^/]*\/series\/\d+\/endpoint_url$/,
    change: set(() => 'http://10.9.9.9:1/metrics'),
    outcome: 'error',
  },
  {
    name: 'another value of a label',
    at: /^metrics\/[^/]*\/series\/\d+\/labels\/[^/]*$/,
    change: set((value: string) => `${value} changed`),
    outcome: 'valid',
  },
  {
    name: 'a label that is a number',
    at: /^metrics\/[^/]*\/series\/\d+\/labels\/[^/]*$/,
    change: set(() => 1),
    outcome: 'error',
  },
  ...['avg', 'total', 'rate', 'std', 'p1', 'p50', 'min', 'max', 'count'].map(
    (field): JsonMutation => ({
      name: `a series without ${field}`,
      at: new RegExp(`^metrics/[^/]*/series/\\d+/stats/${field}$`),
      when: ({ parent, key }) =>
        !('count' in parent) || (key !== 'avg' && key !== 'rate') || Number(parent.count) > 0,
      change: remove,
      outcome: 'error',
    }),
  ),
  {
    name: 'a missing percentile estimate',
    at: /stats\/p\d+_estimate$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'an average above the maximum',
    at: STATS,
    when: has('avg', 'min', 'max'),
    change: ({ value }) => {
      const stats = value as Tree;
      stats.avg = Number(stats.max) + Math.abs(Number(stats.max)) * 0.1 + 0.1;
    },
    outcome: 'error',
  },
  {
    name: 'an average below the minimum',
    at: STATS,
    when: has('avg', 'min', 'max'),
    change: ({ value }) => {
      const stats = value as Tree;
      stats.avg = Number(stats.min) - Math.abs(Number(stats.min)) * 0.1 - 0.1;
    },
    outcome: 'error',
  },
  ...[
    ['min', 'max'],
    ['p1', 'p99'],
    ['p50', 'p90'],
    ['p50_estimate', 'p90_estimate'],
    ['p1_estimate', 'p99_estimate'],
    ['rate_min', 'rate_max'],
  ].map(
    ([first, second]): JsonMutation => ({
      name: `${first} and ${second} swapped`,
      at: STATS,
      when: differ(first!, second!),
      change: swapFields(first!, second!),
      outcome: 'error',
    }),
  ),
  {
    name: 'a standard deviation above the range',
    at: STATS,
    when: has('avg', 'min', 'max', 'std'),
    change: ({ value }) => {
      const stats = value as Tree;
      stats.std = (Number(stats.max) - Number(stats.min)) * 2 + 1;
    },
    outcome: 'reported',
  },
  {
    name: 'a rate of a counter that is 1000 times too large',
    // In the sample of version 1.1, counters change in two adjacent slices, which gives no lower limit of the duration.
    files: /^server-metrics\.json$|server_metrics_export\.json$/,
    at: /stats\/rate$/,
    when: isPositive,
    change: set((value: number) => value * 1000),
    outcome: 'reported',
  },
  {
    name: 'a rate of a counter that is 1000 times too small',
    at: /stats\/rate$/,
    when: isPositive,
    change: set((value: number) => value / 1000),
    outcome: 'reported',
  },
  {
    name: 'a rate of a counter without activity',
    at: /stats\/rate$/,
    when: ({ parent }) => parent.total === 0,
    change: set(() => 5),
    outcome: 'error',
  },
  {
    name: 'a sum of a histogram that is twice as large',
    at: /stats\/sum$/,
    when: isPositive,
    change: set((value: number) => value * 2),
    outcome: 'error',
  },
  {
    name: 'an average of a histogram that is 5% larger',
    at: /stats\/avg$/,
    when: ({ parent }) => Number(parent.count) > 0 && Number(parent.sum) > 0,
    change: set((value: number) => value * 1.05),
    outcome: 'error',
  },
  {
    name: 'a sum rate of a histogram that is 10% larger',
    at: /stats\/sum_rate$/,
    when: isPositive,
    change: set((value: number) => value * 1.1),
    outcome: 'reported',
  },
  {
    name: 'a count of a histogram that is too large',
    at: /stats\/count$/,
    when: ({ parent }) => parent.resets === undefined,
    change: set((value: bigint) => Number(value) + 1),
    outcome: 'error',
  },
  {
    name: 'a bucket that is larger than the next one',
    at: /^metrics\/[^/]*\/series\/\d+\/buckets\/(?!\+Inf)[^/]*$/,
    change: set((_, { parent }) => Number(parent['+Inf']) + 1),
    outcome: 'error',
  },
  {
    name: 'a missing bucket +Inf',
    at: /^metrics\/[^/]*\/series\/\d+\/buckets\/\+Inf$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a missing bucket below +Inf',
    at: /^metrics\/[^/]*\/series\/\d+\/buckets\/(?!\+Inf)[^/]*$/,
    when: ({ parent, key }) => Object.keys(parent).length > 4 && Object.keys(parent)[0] === key,
    change: remove,
    outcome: 'valid',
  },
  {
    name: 'a repeated bound in another spelling',
    at: /^metrics\/[^/]*\/series\/\d+\/buckets\/(?!\+Inf)[^/]*$/,
    change: ({ parent, key, value }) => {
      parent[`${Number(key).toExponential()}0`.replace(/e([+-]?\d+)0$/, 'e$1')] = value;
    },
    when: ({ key }) => Number(key).toExponential() !== key,
    outcome: 'error',
  },
  {
    name: 'a bound that is not a number',
    at: /^metrics\/[^/]*\/series\/\d+\/buckets\/(?!\+Inf)[^/]*$/,
    change: ({ parent, key, value }) => {
      delete parent[key];
      parent[`${key}s`] = value;
    },
    outcome: 'error',
  },
  {
    name: 'a lower percentile bound above the upper bound',
    at: /percentile_bounds\/p\d+$/,
    when: ({ value }) =>
      (value as unknown[]).every(bound => bound !== null) &&
      (value as number[])[0] !== (value as number[])[1],
    change: set((value: number[]) => [value[1], value[0]]),
    outcome: 'error',
  },
  {
    name: 'percentile bounds with three values',
    at: /percentile_bounds\/p\d+$/,
    change: set((value: number[]) => [...value, 1]),
    outcome: 'error',
  },
  {
    name: 'a repeated timeslice',
    at: /series\/\d+\/timeslices\/\d+$/,
    change: repeat,
    outcome: 'error',
  },
  {
    name: 'timeslices in the wrong order',
    at: /series\/\d+\/timeslices\/\d+$/,
    when: hasNext,
    change: swapWithNext,
    outcome: 'error',
  },
  {
    name: 'a timeslice that is an hour later',
    at: /series\/\d+\/timeslices\/\d+$/,
    when: site => !hasNext(site),
    change: ({ value }) => {
      const slice = value as { start_ns: bigint; end_ns: bigint };
      slice.start_ns += 3600_000_000_000n;
      slice.end_ns += 3600_000_000_000n;
    },
    outcome: 'reported',
  },
  {
    name: 'a timeslice that ends before it starts',
    at: /series\/\d+\/timeslices\/\d+$/,
    change: swapFields('start_ns', 'end_ns'),
    outcome: 'error',
  },
  {
    name: 'a total of a complete timeslice that is 10 times as large',
    at: /series\/\d+\/timeslices\/\d+\/total$/,
    when: ({ value, parent }) =>
      Number(value) > 0 && parent.is_complete !== false && parent.increase === undefined,
    change: set((value: number) => value * 10),
    outcome: 'reported',
  },
  {
    name: 'a rate of a complete timeslice that is 10% larger',
    at: /series\/\d+\/timeslices\/\d+\/rate$/,
    when: ({ value, parent }) => Number(value) > 0 && parent.is_complete !== false,
    change: set((value: number) => value * 1.1),
    outcome: 'reported',
  },
  {
    name: 'a successful endpoint that is not configured',
    at: /^summary\/endpoints_configured\/\d+$/,
    when: ({ value, path }) =>
      path.length === 3 && !String(value).includes('gone') && !String(value).includes('/other'),
    change: set(() => 'http://10.9.9.9:1/metrics'),
    outcome: 'error',
  },
  {
    name: 'a missing entry of a successful endpoint',
    at: /^summary\/endpoint_info\/http.*metrics$/,
    when: ({ value }) => Number((value as Tree).total_fetches) > 0,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'more updates than fetches',
    at: /^summary\/endpoint_info\/.*\/unique_updates$/,
    when: ({ parent }) => Number(parent.total_fetches) > 0,
    change: set((_, { parent }) => Number(parent.total_fetches) + 1),
    outcome: 'error',
  },
  {
    name: 'no fetches of a successful endpoint',
    at: /^summary\/endpoint_info\/.*\/total_fetches$/,
    when: isPositive,
    change: set(() => 0),
    outcome: 'error',
  },
  {
    name: 'a first fetch after the last one',
    at: /^summary\/endpoint_info\/.*metrics$/,
    when: differ('first_fetch_ns', 'last_fetch_ns'),
    change: swapFields('first_fetch_ns', 'last_fetch_ns'),
    outcome: 'error',
  },
  {
    name: 'an outage that ends before it starts',
    at: /outages\/\d+$/,
    when: has('end_ns'),
    change: swapFields('start_ns', 'end_ns'),
    outcome: 'error',
  },
  {
    name: 'a duration of the updates in milliseconds',
    at: /duration_seconds$/,
    when: isPositive,
    change: set((value: number) => value * 1000),
    outcome: 'reported',
  },
]);

const RECORDS = inFiles(SERVER_RECORDS, [
  {
    name: 'a response before its request',
    at: /^request_sent_ns$/,
    change: set((_, { parent }) => (parent.first_byte_ns as bigint) + 1_000_000n),
    outcome: 'error',
  },
  {
    name: 'a record with two samples of the same labels',
    at: /^metrics\/[^/]*\/\d+$/,
    change: repeat,
    outcome: 'error',
  },
  {
    name: 'a bucket of a record that is larger than the next one',
    at: /^metrics\/[^/]*\/\d+\/buckets\/(?!\+Inf)[^/]*$/,
    change: set((_, { parent }) => Number(parent['+Inf']) + 1),
    outcome: 'error',
  },
  {
    name: 'a record whose count differs from +Inf',
    at: /^metrics\/[^/]*\/\d+\/count$/,
    change: set((value: number) => value + 1),
    outcome: 'error',
  },
  {
    name: 'a record sample without a value',
    at: /^metrics\/[^/]*\/\d+\/(value|count|buckets)$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a record without the optional sum of a histogram',
    at: /^metrics\/[^/]*\/\d+\/sum$/,
    change: remove,
    outcome: 'valid',
  },
]);

const METRIC_BLOCK =
  /^(request_latency|time_to_first_token|inter_token_latency|output_sequence_length|input_sequence_length)$/;
const PROFILES = inFiles(PROFILE, [
  ...[
    ['min', 'max'],
    ['p1', 'p99'],
    ['p50', 'p99'],
    ['p90', 'p25'],
  ].map(
    ([first, second]): JsonMutation => ({
      name: `${first} and ${second} of a profile metric swapped`,
      at: METRIC_BLOCK,
      when: differ(first!, second!),
      change: swapFields(first!, second!),
      outcome: 'error',
    }),
  ),
  {
    name: 'an average of a profile metric above its maximum',
    at: METRIC_BLOCK,
    when: has('max'),
    change: ({ value }) => {
      (value as Tree).avg = Number((value as Tree).max) * 1.1 + 0.1;
    },
    outcome: 'error',
  },
  {
    name: 'a negative profile metric',
    at: /^(request_latency|time_to_first_token|inter_token_latency|output_sequence_length)\/(min|avg|p1)$/,
    change: set((value: number) => -value - 1),
    outcome: 'error',
  },
  {
    name: 'a profile metric in seconds',
    at: /^(request_latency|time_to_first_token|inter_token_latency)\/unit$/,
    change: set(() => 'sec'),
    outcome: 'reported',
  },
  {
    name: 'a profile metric without its unit',
    at: /^(request_latency|request_count|request_throughput)\/unit$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a sum of a profile metric that is 10% larger',
    at: /^[a-z_]+\/sum$/,
    when: isPositive,
    change: set((value: number) => value * 1.1),
    outcome: 'error',
  },
  {
    name: 'a count of a profile metric that is twice as large',
    at: /^[a-z_]+\/count$/,
    when: ({ parent }) => Number(parent.sum) > 0,
    change: set((value: bigint) => Number(value) * 2),
    outcome: 'error',
  },
  {
    name: 'a fraction of a request',
    at: /^request_count\/avg$/,
    change: set((value: number) => value + 0.5),
    outcome: 'error',
  },
  {
    name: 'a single value with a distribution',
    at: /^request_count$/,
    change: ({ value }) => {
      (value as Tree).p50 = 1;
    },
    outcome: 'error',
  },
  {
    name: 'a benchmark ID that differs from run_info',
    at: /^benchmark_id$/,
    when: ({ parent }) => has('benchmark_id')({ value: parent.run_info } as Site),
    change: set(() => 'another-id'),
    outcome: 'reported',
  },
]);

const PROFILE_SLICES = inFiles(SLICES, [
  { name: 'a repeated timeslice of a profile', at: /^timeslices\/\d+$/, change: repeat, outcome: 'error' },
  {
    name: 'timeslices of a profile in the wrong order',
    at: /^timeslices\/\d+$/,
    when: hasNext,
    change: swapWithNext,
    outcome: 'error',
  },
  {
    name: 'a timeslice of a profile that ends before it starts',
    at: /^timeslices\/\d+$/,
    when: has('start_ns', 'end_ns'),
    change: swapFields('start_ns', 'end_ns'),
    outcome: 'error',
  },
  {
    name: 'a timeslice of a profile that starts 100 ms later',
    at: /^timeslices\/(?!0\/)\d+\/start_ns$/,
    when: ({ parent }) => parent.is_complete !== false,
    change: set((value: bigint) => value + 100_000_000n),
    outcome: 'reported',
  },
]);

const REQUEST_RECORDS = inFiles(REQUESTS, [
  {
    name: 'a request that ends before it starts',
    at: /^metadata$/,
    change: swapFields('request_start_ns', 'request_end_ns'),
    outcome: 'error',
  },
  {
    name: 'a response before the request',
    at: /^metadata\/request_ack_ns$/,
    when: isNumber,
    change: set((_, { parent }) => (parent.request_start_ns as bigint) - 1_000_000_000n),
    outcome: 'error',
  },
  {
    name: 'a request that starts a second before its credit',
    at: /^metadata\/credit_issued_ns$/,
    when: isNumber,
    change: set((value: bigint) => value + 1_000_000_000n),
    outcome: 'error',
  },
  {
    name: 'a latency that is longer than the request',
    at: /^metrics\/request_latency\/value$/,
    change: set((value: number) => value * 2 + 1),
    outcome: 'error',
  },
  {
    name: 'a first token after the end of the request',
    at: /^metrics\/time_to_first_token\/value$/,
    when: ({ parent }) => parent !== undefined,
    change: set((value: number) => value * 100),
    outcome: 'error',
  },
  {
    name: 'a negative number of tokens',
    at: /^metrics\/(output|input)_sequence_length\/value$/,
    change: set((value: number) => -value - 1),
    outcome: 'error',
  },
  {
    name: 'a latency in seconds',
    at: /^metrics\/request_latency\/unit$/,
    change: set(() => 's'),
    outcome: 'reported',
  },
  {
    name: 'an inter-token latency that is 10% larger',
    at: /^metrics\/inter_token_latency\/value$/,
    when: isPositive,
    change: set((value: number) => value * 1.1),
    outcome: 'reported',
  },
  {
    name: 'a successful request with an error',
    at: /^error$/,
    when: ({ parent, value }) => value === null && has('request_latency')({ value: parent.metrics } as Site),
    change: set(() => ({ code: 500, type: 'HTTPError', message: 'failed' })),
    outcome: 'error',
  },
  {
    name: 'a successful request that was cancelled',
    at: /^metadata\/was_cancelled$/,
    when: ({ value }) => value === false,
    change: set(() => true),
    outcome: 'reported',
  },
]);

const GPU_METRIC = /\/gpus\/[^/]*\/metrics\/[^/]*$/;
const PHASE_SERIES = /^(warmup_metrics|data\/endpoint_summaries\/[^/]*\/metrics)\/[^/]*\/series\/\d+/;
const PHASES: readonly JsonMutation[] = [
  {
    name: 'a phase that is listed twice',
    files: /phase-manifest\.json$/,
    at: /^phases\/\d+$/,
    change: repeat,
    outcome: 'error',
  },
  {
    name: 'a phase that ends before it starts',
    files: /phase-.*\.json$/,
    at: /^(phases\/\d+|phase)$/,
    change: swapFields('start_ns', 'end_ns'),
    outcome: 'error',
  },
  {
    name: 'a time range of a phase that ends before it starts',
    files: SERVER,
    at: /^summary\/phase_time_ranges\/[^/]*$/,
    change: swapFields('start_ns', 'end_ns'),
    outcome: 'error',
  },
  {
    name: 'one more request than successful and failed ones',
    files: /phase-manifest\.json$/,
    at: /_request_count$/,
    change: set((value: bigint) => Number(value) + 1),
    outcome: 'error',
  },
  {
    name: 'one more error of a phase',
    files: /phase-manifest\.json$/,
    at: /error_summary\/\d+\/count$/,
    change: set((value: bigint) => Number(value) + 1),
    outcome: 'error',
  },
  {
    name: 'another integer version',
    files: /phase-.*\.json$/,
    at: /^schema_version$/,
    change: set(() => 2),
    outcome: 'error',
  },
  {
    name: 'statistics of another phase',
    files: /phase-server-metrics\.json$/,
    at: /^data\/phase_name$/,
    change: set(() => 'another'),
    outcome: 'error',
  },
  {
    name: 'a successful endpoint of a phase that is not configured',
    files: /phase-server-metrics\.json$/,
    at: /^data\/endpoints_configured\/\d+$/,
    change: set(() => 'http://10.9.9.9:1/metrics'),
    outcome: 'error',
  },
  {
    name: 'an average of a phase above its maximum',
    files: /server-metrics.*\.json$/,
    at: new RegExp(`${PHASE_SERIES.source}/stats$`),
    when: has('avg', 'max'),
    change: ({ value }) => {
      (value as Tree).avg = Number((value as Tree).max) + 1;
    },
    outcome: 'error',
  },
  {
    name: 'a series of a phase without statistics',
    files: /server-metrics-1\.1\.json$|phase-server-metrics\.json$/,
    at: new RegExp(`${PHASE_SERIES.source}/stats$`),
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a repeated series of a phase',
    files: /server-metrics.*\.json$/,
    at: new RegExp(`${PHASE_SERIES.source}$`),
    change: repeat,
    outcome: 'error',
  },
  {
    name: 'a bucket of a phase that is larger than the next one',
    files: /server-metrics.*\.json$/,
    at: new RegExp(`${PHASE_SERIES.source}/buckets/(?!\\+Inf)[^/]*$`),
    change: set((_, { parent }) => Number(parent['+Inf']) + 1),
    outcome: 'error',
  },
  {
    name: 'a metric of the warm-up whose p50 is above its p99',
    files: PROFILE,
    at: /^warmup_metrics\/[^/]*$/,
    when: differ('p50', 'p99'),
    change: swapFields('p50', 'p99'),
    outcome: 'error',
  },
  {
    name: 'a metric of the warm-up without a unit',
    files: PROFILE,
    at: /^warmup_metrics\/[^/]*\/unit$/,
    change: remove,
    outcome: 'error',
  },
];

const TELEMETRY: readonly JsonMutation[] = [
  {
    name: 'an average of a GPU above its maximum',
    files: /profile-export-1\.4\.json$|phase-gpu-telemetry\.json$/,
    at: GPU_METRIC,
    when: has('avg', 'max'),
    change: ({ value }) => {
      (value as Tree).avg = Number((value as Tree).max) + 1;
    },
    outcome: 'error',
  },
  {
    name: 'a GPU without a required field',
    files: /profile-export-1\.4\.json$|phase-gpu-telemetry\.json$/,
    at: /\/gpus\/[^/]*\/(gpu_index|gpu_name|gpu_uuid|metrics)$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a GPU sample without a required field',
    files: /gpu-telemetry\.jsonl$/,
    at: /^(gpu_index|gpu_uuid|gpu_model_name|timestamp_ns|telemetry_data)$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a GPU sample without a value',
    files: /gpu-telemetry\.jsonl$/,
    at: /^telemetry_data\/[^/]*$/,
    change: remove,
    outcome: 'valid',
  },
  {
    name: 'a GPU sample that is an hour earlier than the previous one',
    files: /gpu-telemetry\.jsonl$/,
    at: /^timestamp_ns$/,
    when: ({ value }) => value !== FIRST_SAMPLE_NS,
    change: set((value: bigint) => value - 3600_000_000_000n),
    outcome: 'reported',
  },
];
/** The time of the first GPU sample, which has no previous one. */
const FIRST_SAMPLE_NS = 1795351796924269424n;

const COMPANIONS: readonly JsonMutation[] = [
  {
    name: 'a message before the previous one',
    files: /raw-records\.jsonl$/,
    at: /^responses\/[1-9]\d*\/perf_ns$/,
    change: set((value: bigint) => value - 3600_000_000_000n),
    outcome: 'error',
  },
  {
    name: 'a raw request that ends before it starts',
    files: /raw-records\.jsonl$/,
    at: /^metadata$/,
    change: swapFields('request_start_ns', 'request_end_ns'),
    outcome: 'error',
  },
  {
    name: 'a raw request without a required field',
    files: /raw-records\.jsonl$/,
    at: /^(responses|metadata\/(session_num|request_start_ns|request_end_ns|benchmark_phase)|responses\/\d+\/perf_ns)$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a companion without a required field',
    files: /^(inputs|outputs|results-ready)\.json$/,
    at: /^(data|ready|data\/\d+\/(session_id|payloads|session_num|request_start_ns))$/,
    change: remove,
    outcome: 'error',
  },
  {
    name: 'a request body that is a text',
    files: /^inputs\.json$/,
    at: /payloads\/\d+$/,
    change: set(() => 'text'),
    outcome: 'error',
  },
  {
    name: 'an output that ends before it starts',
    files: /^outputs\.json$/,
    at: /^data\/\d+$/,
    change: swapFields('request_start_ns', 'request_end_ns'),
    outcome: 'error',
  },
];

const BLOCK = /(^|\/)metrics\/[^/]*$|stats\/[^/]*$/;
const SEVERAL_RUNS: readonly JsonMutation[] = [
  {
    name: 'a mean outside its confidence interval',
    files: AGGREGATE,
    at: /\/mean$/,
    when: ({ parent }) => parent.ci_high !== undefined,
    change: set((_, { parent }) => Number(parent.ci_high) + 1),
    outcome: 'error',
  },
  {
    name: 'a mean outside the runs',
    files: /(aggregate|sweep(-aiperf)?)\.json$/,
    at: /\/mean$/,
    when: ({ parent }) => parent.max !== undefined,
    change: set((_, { parent }) => Number(parent.max) * 1.5 + 1),
    outcome: 'error',
  },
  {
    name: 'minimum and maximum of runs swapped',
    files: /(aggregate|sweep(-aiperf)?)\.json$/,
    at: BLOCK,
    when: differ('min', 'max'),
    change: swapFields('min', 'max'),
    outcome: 'error',
  },
  ...['se', 'cv', 't_critical'].map(
    (field): JsonMutation => ({
      name: `${field} that is 10% larger`,
      files: /(aggregate|sweep(-aiperf)?)\.json$/,
      at: new RegExp(`/${field}$`),
      when: ({ value, parent }) => Number(value) > 0 && Number(parent.std) > 0 && parent.ci_low !== undefined,
      change: set((value: number) => value * 1.1),
      outcome: 'error',
    }),
  ),
  {
    name: 'a wrong number of runs',
    files: /(aggregate|collated|sweep(-aiperf)?)\.json$/,
    at: /^(metadata\/)?num_profile_runs$/,
    change: set((value: bigint) => Number(value) + 1),
    outcome: 'error',
  },
  {
    name: 'a run that is listed twice',
    files: /(aggregate|collated)\.json$/,
    at: /(run_labels|per_run)\/\d+$/,
    change: repeat,
    outcome: 'error',
  },
  {
    name: 'a wrong count of combined requests',
    files: COLLATED,
    at: /combined\/count$/,
    change: set((value: bigint) => Number(value) + 1),
    outcome: 'error',
  },
  {
    name: 'a mean of combined requests that is 10% larger',
    files: COLLATED,
    at: /combined\/mean$/,
    change: set((value: number) => value * 1.1),
    outcome: 'error',
  },
  {
    name: 'p50 and p99 of combined requests swapped',
    files: COLLATED,
    at: /combined$/,
    when: differ('p50', 'p99'),
    change: swapFields('p50', 'p99'),
    outcome: 'error',
  },
  {
    name: 'a wrong number of combinations',
    files: SWEEP,
    at: /num_combinations$/,
    change: set((value: bigint) => Number(value) + 1),
    outcome: 'error',
  },
  {
    name: 'a repeated variation',
    files: SWEEP,
    at: /^per_combination_metrics\/\d+$/,
    change: repeat,
    outcome: 'error',
  },
  {
    name: 'a Pareto point without a variation',
    files: SWEEP,
    at: /^pareto_optimal\/\d+\/[^/]*$/,
    change: set(() => 987654),
    outcome: 'error',
  },
  {
    name: 'a best configuration without a variation',
    files: SWEEP,
    at: /^best_configurations\/[^/]*\/parameters\/[^/]*$/,
    change: set(() => 987654),
    outcome: 'error',
  },
  {
    name: 'a best value that no variation has',
    files: SWEEP,
    at: /^best_configurations\/[^/]*\/metric$/,
    change: set((value: number) => value * 3),
    outcome: 'error',
  },
];

/** Mutations of JSON documents and of lines of JSONL. */
export const JSON_MUTATIONS: readonly JsonMutation[] = [
  ...TYPES,
  ...SPELLINGS,
  ...TIMES,
  ...STRUCTURE,
  ...SERVER_METRICS,
  ...RECORDS,
  ...PROFILES,
  ...PROFILE_SLICES,
  ...REQUEST_RECORDS,
  ...PHASES,
  ...TELEMETRY,
  ...COMPANIONS,
  ...SEVERAL_RUNS,
];
