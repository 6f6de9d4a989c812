export { type Clock, wallNs } from './clock.ts';
export type { EndpointName } from './endpoint/endpoint.ts';
export { ENDPOINTS } from './endpoint/endpoints.ts';
export type { Failure, FailureType } from './failure.ts';
export { reserveDescriptors } from './http/fileDescriptors.ts';
export type { Conversation, Inputs, Turn } from './input/conversation.ts';
export { parseExtraInputs } from './input/extraInputs.ts';
export { type FileOptions, fileInputs, type Sampling } from './input/fileInputs.ts';
export { InputError } from './input/inputFile.ts';
export { type InputsDescription, openInputs } from './input/inputsDescription.ts';
export { type Spread, type SyntheticOptions, syntheticInputs } from './input/syntheticInputs.ts';
export { type TraceOptions, traceInputs } from './input/traceInputs.ts';
export {
  Distribution,
  type DistributionStats,
  EXACT_VALUES,
  PERCENTILES,
  percentileOf,
  rankErrorAt,
} from './metrics/distribution.ts';
export type { ErrorGroup } from './metrics/errorGroups.ts';
export { type GoodputRule, parseGoodput } from './metrics/goodput.ts';
export {
  type EndedRequest,
  type MeasuredValue,
  type MetricBlock,
  ProfileMetrics,
  type ProfileMetricsOptions,
  type RequestMetrics,
  requestMetrics,
} from './metrics/profileMetrics.ts';
export { type MetricSlice, type ServerSlices, SliceMetrics } from './metrics/sliceMetrics.ts';
export type {
  Arrivals,
  PhaseName,
  RequestRecord,
  TokenCounts,
  TokenSource,
  TraceTimes,
  Traffic,
} from './requestRecord.ts';
export type { Usage } from './response/usage.ts';
export type { TimeSpread } from './run/eventLoopDelay.ts';
export type {
  CancellationOptions,
  LoadOptions,
  PhaseEvent,
  PhaseOptions,
  PhaseSummary,
  StopReason,
} from './run/loadOptions.ts';
export type { LoadProgress, LoadRun, LoadSummary, LostWorker } from './run/loadSummary.ts';
export type { LoadWarning } from './run/loadWarning.ts';
export { startLoad } from './run/localRun.ts';
export type { Target } from './run/target.ts';
export { readUrlCredentials, type UrlCredentials } from './run/urlCredentials.ts';
export { ARRIVAL_PATTERNS, type ArrivalPattern } from './schedule/arrivalPattern.ts';
export { type Counted, type Counter, type CountJob, IdleCounter } from './tokens/counter.ts';
export { huggingFaceTokenizer } from './tokens/huggingFace.ts';
export { o200kTokenizer } from './tokens/o200k.ts';
export { EMBEDDED_TOKENIZER, openTokenizer } from './tokens/openTokenizer.ts';
export { openThreadCounter } from './tokens/threadCounter.ts';
export type { Tokenizer } from './tokens/tokenizer.ts';
export type { LoadDescription, LoadListener } from './workers/messages.ts';
export { MOST_WORKERS, openWorkers, type Workers } from './workers/workers.ts';
export { ThreadError } from './workers/workerThread.ts';
