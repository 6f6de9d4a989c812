/** The kinds of metrics, which OpenTelemetry and Prometheus have in common. */
export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** The definition of a metric, by its OpenTelemetry name. */
export interface MetricDefinition {
  readonly name: string;
  readonly kind: MetricKind;
  /** The unit in UCUM, as OpenTelemetry writes it: `s`, `1`, `{request}`. */
  readonly unit: string;
  readonly description: string;
  /** The upper bounds of the buckets of a histogram, without infinity. */
  readonly bounds?: readonly number[];
}

/** The bounds that the GenAI conventions of OpenTelemetry specify for durations, in seconds. */
const DURATION_BOUNDS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

/** The bounds that the GenAI conventions specify for numbers of tokens. */
const TOKEN_BOUNDS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/** The bounds that the GenAI conventions specify for the time per output token, in seconds. */
const TOKEN_TIME_BOUNDS = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];

/** Keys of the metrics. */
export type MetricKey =
  | 'operationDuration'
  | 'timeToFirstChunk'
  | 'tokenUsage'
  | 'interTokenLatency'
  | 'requests'
  | 'errors'
  | 'sentRequests'
  | 'inFlight'
  | 'goodRequests'
  | 'runInfo'
  | 'runProgress'
  | 'serverRequestRate'
  | 'serverOutputTokenRate'
  | 'serverPromptTokenRate'
  | 'serverRunning'
  | 'serverWaiting'
  | 'serverKvCache'
  | 'serverCacheHits'
  | 'serverPreemptions'
  | 'serverFailures'
  | 'serverTimeToFirstToken'
  | 'serverInterTokenLatency'
  | 'serverRequestLatency'
  | 'endpointUp'
  | 'endpointFailedScrapes'
  | 'endpointRunning'
  | 'endpointWaiting'
  | 'endpointKvCache'
  | 'clientResult'
  | 'serverResult';

/** Every metric that is pushed or shown on the metrics page. */
export const METRICS: Readonly<Record<MetricKey, MetricDefinition>> = {
  operationDuration: {
    name: 'gen_ai.client.operation.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Duration of successful requests',
    bounds: DURATION_BOUNDS,
  },
  timeToFirstChunk: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    kind: 'histogram',
    unit: 's',
    description: 'Time from the start of a streamed request to its first token',
    bounds: DURATION_BOUNDS,
  },
  tokenUsage: {
    name: 'gen_ai.client.token.usage',
    kind: 'histogram',
    unit: '{token}',
    description: 'Input and output tokens of successful requests',
    bounds: TOKEN_BOUNDS,
  },
  interTokenLatency: {
    name: 'servelens.client.inter_token_latency',
    kind: 'histogram',
    unit: 's',
    description: 'Mean time between the output tokens of a streamed request',
    bounds: TOKEN_TIME_BOUNDS,
  },
  requests: {
    name: 'servelens.client.requests',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that ended, by outcome',
  },
  errors: {
    name: 'servelens.client.errors',
    kind: 'counter',
    unit: '{request}',
    description: 'Failed requests, by type of error',
  },
  sentRequests: {
    name: 'servelens.client.requests.sent',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that were sent',
  },
  inFlight: {
    name: 'servelens.client.requests.in_flight',
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests that were sent and have not ended',
  },
  goodRequests: {
    name: 'servelens.client.good_requests',
    kind: 'gauge',
    unit: '1',
    description: 'Share of the requests of the phase that meet all goodput limits',
  },
  runInfo: {
    name: 'servelens.run.info',
    kind: 'gauge',
    unit: '',
    description: 'A run and the phase that it is in; always 1',
  },
  runProgress: {
    name: 'servelens.run.progress',
    kind: 'gauge',
    unit: '1',
    description: 'Completed share of the phase',
  },
  serverRequestRate: {
    name: 'servelens.server.requests',
    kind: 'gauge',
    unit: '{request}/s',
    description: 'Requests that the servers completed per second',
  },
  serverOutputTokenRate: {
    name: 'servelens.server.output_tokens',
    kind: 'gauge',
    unit: '{token}/s',
    description: 'Output tokens that the servers generated per second',
  },
  serverPromptTokenRate: {
    name: 'servelens.server.prompt_tokens',
    kind: 'gauge',
    unit: '{token}/s',
    description: 'Prompt tokens that the servers processed per second',
  },
  serverRunning: {
    name: 'servelens.server.requests.running',
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests running on the servers',
  },
  serverWaiting: {
    name: 'servelens.server.requests.waiting',
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests that wait in the queues of the servers',
  },
  serverKvCache: {
    name: 'servelens.server.kv_cache.usage',
    kind: 'gauge',
    unit: '1',
    description: 'Used share of the KV cache, of the fullest engine',
  },
  serverCacheHits: {
    name: 'servelens.server.prefix_cache.hits',
    kind: 'gauge',
    unit: '1',
    description: 'Share of the prompt tokens of the last minute that were found in the prefix cache',
  },
  serverPreemptions: {
    name: 'servelens.server.preemptions',
    kind: 'counter',
    unit: '{preemption}',
    description: 'Preemptions since the start of the run',
  },
  serverFailures: {
    name: 'servelens.server.failures',
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that failed on the servers since the start of the run',
  },
  serverTimeToFirstToken: {
    name: 'servelens.server.time_to_first_token',
    kind: 'gauge',
    unit: 's',
    description:
      'Percentiles of the time to first token of the last minute, estimated from the histograms of the servers',
  },
  serverInterTokenLatency: {
    name: 'servelens.server.inter_token_latency',
    kind: 'gauge',
    unit: 's',
    description:
      'Percentiles of the time between output tokens of the last minute, estimated from the histograms of the servers',
  },
  serverRequestLatency: {
    name: 'servelens.server.request_latency',
    kind: 'gauge',
    unit: 's',
    description:
      'Percentiles of the request latency of the last minute, estimated from the histograms of the servers',
  },
  endpointUp: {
    name: 'servelens.endpoint.up',
    kind: 'gauge',
    unit: '',
    description: '1 if the last scrape of an endpoint succeeded, 0 if not',
  },
  endpointFailedScrapes: {
    name: 'servelens.endpoint.scrapes.failed',
    kind: 'counter',
    unit: '{scrape}',
    description: 'Failed scrapes of an endpoint',
  },
  endpointRunning: {
    name: 'servelens.endpoint.requests.running',
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests running on an endpoint',
  },
  endpointWaiting: {
    name: 'servelens.endpoint.requests.waiting',
    kind: 'gauge',
    unit: '{request}',
    description: 'Requests that wait in the queue of an endpoint',
  },
  endpointKvCache: {
    name: 'servelens.endpoint.kv_cache.usage',
    kind: 'gauge',
    unit: '1',
    description: 'Used share of the KV cache of an endpoint',
  },
  clientResult: {
    name: 'servelens.result.client',
    kind: 'gauge',
    unit: '',
    description:
      'Statistics of the client metrics of a run that has ended, as exported, in the unit of the label "unit"',
  },
  serverResult: {
    name: 'servelens.result.server',
    kind: 'gauge',
    unit: '',
    description:
      'Statistics of the server metrics of a run that has ended, as exported, in the unit of the label "unit"',
  },
};
