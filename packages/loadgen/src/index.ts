export type { Usage } from './answer/usage.ts';
export { type Clock, wallNs } from './clock.ts';
export type { EndpointName } from './endpoint/endpoint.ts';
export { ENDPOINTS } from './endpoint/endpoints.ts';
export type { Failure, FailureType } from './failure.ts';
export { reserveDescriptors } from './http/descriptors.ts';
export type { Conversation, Inputs, Turn } from './input/conversation.ts';
export { type InputsDescription, openInputs } from './input/description.ts';
export { parseExtraInputs } from './input/extra.ts';
export { type FileOptions, fileInputs, type Sampling } from './input/jsonl.ts';
export { InputError } from './input/line.ts';
export { type Spread, type SyntheticOptions, syntheticInputs } from './input/synthetic.ts';
export { type TraceOptions, traceInputs } from './input/trace.ts';
export {
  Distribution,
  type DistributionStats,
  EXACT_VALUES,
  PERCENTILES,
  percentileOf,
  rankErrorAt,
} from './metrics/distribution.ts';
export type { ErrorGroup } from './metrics/errors.ts';
export { type GoodputRule, parseGoodput } from './metrics/goodput.ts';
export {
  type EndedRequest,
  type MeasuredValue,
  type MetricBlock,
  ProfileMetrics,
  type ProfileMetricsOptions,
  type RequestMetrics,
  requestMetrics,
} from './metrics/profilemetrics.ts';
export { type MetricSlice, type ServerSlices, SliceMetrics } from './metrics/slicemetrics.ts';
export type {
  Arrivals,
  PhaseName,
  RequestRecord,
  TokenCounts,
  TokenSource,
  TraceTimes,
  Traffic,
} from './record.ts';
export { credentialsIn, type UrlCredentials } from './run/credentials.ts';
export type { TimeSpread } from './run/lag.ts';
export type {
  CancellationOptions,
  LoadOptions,
  PhaseEvent,
  PhaseOptions,
  PhaseSummary,
  StopReason,
} from './run/options.ts';
export type { Target } from './run/request.ts';
export { startLoad } from './run/run.ts';
export type { LoadProgress, LoadRun, LoadSummary, LostWorker } from './run/summary.ts';
export type { LoadWarning } from './run/warning.ts';
export { ARRIVAL_PATTERNS, type ArrivalPattern } from './schedule/gaps.ts';
export { type Counted, type Counter, type CountJob, IdleCounter } from './tokens/counter.ts';
export { huggingFaceTokenizer } from './tokens/huggingface.ts';
export { o200kTokenizer } from './tokens/o200k.ts';
export { EMBEDDED_TOKENIZER, openTokenizer } from './tokens/open.ts';
export { openThreadCounter } from './tokens/threadcounter.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';
export { ThreadError } from './workers/loadthread.ts';
export type { LoadDescription, LoadListener } from './workers/messages.ts';
export { MOST_WORKERS, openWorkers, type Workers } from './workers/workers.ts';
