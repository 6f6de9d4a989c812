/** Load generator for inference servers: sends requests on a schedule and measures each of them. */
export { toWallNs } from './clock.ts';
export { PROBE_MODES, type ProbeMode, type ProbeOptions } from './control/modelProbe.ts';
export { type HookOptions, ServerControl } from './control/serverControl.ts';
export type { CustomFormat } from './endpoint/customEndpoints.ts';
export type { Endpoint, EndpointName } from './endpoint/endpoint.ts';
export { countsTokens, ENDPOINTS, generatesText, hasMessages, openEndpoint } from './endpoint/endpoints.ts';
export type { Failure } from './failure.ts';
export { findConnectionLimit, reserveDescriptors } from './http/fileDescriptors.ts';
export { CACHE_BUST_TARGETS, type CacheBustTarget } from './input/cacheBust.ts';
export type { Inputs } from './input/conversation.ts';
export { CORPORA, type Corpus } from './input/corpus.ts';
export { DATASET_TYPES, type DatasetType, isTraceType, type TraceType } from './input/datasetType.ts';
export { parseExtraInputs } from './input/extraInputs.ts';
export { InputError } from './input/inputError.ts';
export { type InputsDescription, needsTokenizer, openInputs } from './input/inputsDescription.ts';
export { type LengthPair, parseLengthMix } from './input/lengthMix.ts';
export { parseDistribution } from './input/parseDistribution.ts';
export type { BatchSizes } from './input/poolBatches.ts';
export type { RankingOptions } from './input/rankings.ts';
export { listRowFiles, type RowSelection } from './input/rowFiles.ts';
export type { Sampling } from './input/sampling.ts';
export { createSyntheticInputs, hasText, MAX_TURNS, type PrefixPool } from './input/syntheticInputs.ts';
export { analyzeTrace, type TraceAnalysis, type TraceStatistics } from './input/traceAnalysis.ts';
export type { TraceEntry } from './input/traceEntry.ts';
export { findBlockTokens, readTrace } from './input/traceInputs.ts';
export type { TraceReplay } from './input/traceReplay.ts';
export type { TraceSynthesis } from './input/traceSynthesis.ts';
export {
  type LengthRange,
  type MeanLengths,
  parseRangeRatio,
  RANGE_STYLES,
  type RangeStyle,
} from './input/uniformRange.ts';
export type { ValueDistribution } from './input/valueDistribution.ts';
export { AUDIO_DEPTHS, type AudioOptions } from './media/audioOptions.ts';
export {
  IMAGE_FORMATS,
  IMAGE_SAMPLINGS,
  type ImageFormat,
  type ImageOptions,
  type ImageSampling,
} from './media/imageOptions.ts';
export { Distribution } from './metrics/distribution.ts';
export { isEarlyStop } from './metrics/earlyStop.ts';
export { GOOD_REQUEST, type GoodputRule, meetsGoodput, parseGoodput } from './metrics/goodput.ts';
export { subtractRoundTrip } from './metrics/networkMetrics.ts';
export { PhaseMetrics, type PhaseMetricsOptions, type TimedRequest } from './metrics/phaseMetrics.ts';
export { type EndedRequest, type MetricBlock, ProfileMetrics } from './metrics/profileMetrics.ts';
export { computeRequestMetrics, type RequestMetrics, replaceTokenCounts } from './metrics/requestMetrics.ts';
export {
  ENDED_REQUEST_METRICS,
  MAX_SLICES,
  type MetricSlice,
  type ServerSlices,
  SliceMetrics,
} from './metrics/sliceMetrics.ts';
export { hasServerCounts, selectTokenCounts } from './metrics/tokenCounts.ts';
export { computeMeanRoundTrip, type RoundTrip } from './network/roundTripProbe.ts';
export { RoundTrips } from './network/roundTrips.ts';
export type { RawExchange, RequestRecord, TokenSource } from './requestRecord.ts';
export type { Speculation } from './response/speculation.ts';
export {
  type ConversationPayloads,
  countConversations,
  type DatasetLoad,
  generatePayloads,
  type SessionCounts,
} from './run/datasetPayloads.ts';
export {
  type CancellationOptions,
  CONNECTION_REUSES,
  type ConnectionReuse,
  findMaxInFlight,
  type LoadOptions,
  type PhaseOptions,
} from './run/loadOptions.ts';
export {
  type LoadProgress,
  type LoadRun,
  type LoadSummary,
  STOP_REASONS,
  selectStopReason,
} from './run/loadSummary.ts';
export { checkPhases, startLoad } from './run/localRun.ts';
export { MODEL_SELECTIONS, type ModelSelection, readUrlCredentials } from './run/target.ts';
export { ARRIVAL_PATTERNS, type ArrivalPattern, MIN_SMOOTHNESS } from './schedule/arrivalSchedule.ts';
export type { RatePoint } from './schedule/rateCurve.ts';
export {
  findCachedDataset,
  getHubCache,
  listDatasetFolders,
  parseHubModel,
} from './tokens/huggingFaceCache.ts';
export {
  MissingTokenizerError,
  type PrepareOptions,
  prepareTokenizer,
} from './tokens/prepareTokenizer.ts';
export { openThreadCounter } from './tokens/threadCounter.ts';
export { EMBEDDED_TOKENIZER, findTokenizerFolder, openTokenizer } from './tokens/tokenizer.ts';
export type { LoadDescription, LoadListener } from './workers/messages.ts';
export { MAX_WORKERS, openWorkers } from './workers/workers.ts';
export { ThreadError } from './workers/workerThread.ts';
