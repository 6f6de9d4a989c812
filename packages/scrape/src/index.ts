export type { Access } from './access.ts';
export { AccessError } from './accesserror.ts';
export {
  type Authorization,
  basicAuthorization,
  basicFile,
  bearerAuthorization,
  bearerFile,
  passwordFile,
} from './authorization.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  type BarrierOptions,
  type BarrierSamples,
  Collector,
  type CollectorOptions,
  type FrameSink,
} from './collector.ts';
export type { ScrapeCost } from './cost.ts';
export type { Durations } from './durations.ts';
export { Endpoint, type Fetching, type Scrape } from './endpoint.ts';
export type { Fetched } from './exchange.ts';
export type { Failure, FailureReason } from './failure.ts';
export { Fetcher, type FetcherOptions, type FetchLimits } from './fetch.ts';
export { fileText } from './filetext.ts';
export {
  type AddressChange,
  EndpointHealth,
  type EndpointStatus,
  type Outage,
  type ResetNote,
  type ShownStatus,
} from './health.ts';
export { BlockFile, type BlockFileOptions } from './journal/blockfile.ts';
export type { JournalFiles } from './journal/files.ts';
export { JournalError, type JournalReading, type JournalTail, readJournal } from './journal/reader.ts';
export type { JournalEndpoint, JournalMark, JournalRecord } from './journal/record.ts';
export { type Replay, type ReplayedEndpoint, replayJournal } from './journal/replay.ts';
export { type JournalTrouble, JournalWriter, type JournalWriterOptions } from './journal/writer.ts';
export { DEFAULT_LIMITS, LIMIT_NAMES, type ScrapeLimits } from './limits.ts';
export type { EndpointEvent } from './news.ts';
export type { Pace } from './pace.ts';
export { isSecretName } from './secret.ts';
export { Stillness } from './stillness.ts';
export { systemReason } from './systemreason.ts';
export {
  hidePassword,
  metricsTarget,
  serverTarget,
  type Target,
  TargetError,
  uniqueTargets,
} from './target.ts';
export { readTrust, type Trust, type TrustFiles } from './trust.ts';
