export {
  type BarrierOptions,
  type BarrierSamples,
  Collector,
  type CollectorOptions,
  type FrameSink,
} from './collector.ts';
export {
  type Authorization,
  basicAuthorization,
  basicFile,
  bearerAuthorization,
  bearerFile,
  passwordFile,
} from './credentials/authorization.ts';
export { AccessError } from './credentials/credentialFile.ts';
export {
  readTlsFiles,
  readTrust,
  type TlsCredentials,
  type TlsFiles,
  type Trust,
  type TrustFiles,
} from './credentials/trust.ts';
export type { DurationSketch as Durations } from './endpoint/durationSketch.ts';
export { Endpoint, type Fetching, type Scrape } from './endpoint/endpoint.ts';
export type { EndpointEvent } from './endpoint/eventReporter.ts';
export {
  type AddressChange,
  EndpointHealth,
  type EndpointStatus,
  type Outage,
  type ResetNote,
  type ShownStatus,
} from './endpoint/health.ts';
export { QuiescenceDetector as Stillness } from './endpoint/quiescenceDetector.ts';
export type { ScrapeCost } from './endpoint/scrapeCost.ts';
export type { Access } from './endpoint/target.ts';
export {
  metricsTarget,
  serverTarget,
  type Target,
  TargetError,
  uniqueTargets,
} from './endpoint/target.ts';
export { fileText } from './files/fileText.ts';
export { systemReason } from './files/systemReason.ts';
export type { Fetched } from './http/exchange.ts';
export type { Failure, FailureReason } from './http/failure.ts';
export { Fetcher, type FetcherOptions, type FetchLimits } from './http/fetcher.ts';
export { DEFAULT_LIMITS, LIMIT_NAMES, type ScrapeLimits } from './http/limits.ts';
export { BlockFile, type BlockFileOptions } from './journal/blockFile.ts';
export { JournalError } from './journal/errors.ts';
export type { JournalFileSystem as JournalFiles } from './journal/fileSystem.ts';
export { type JournalReading, type JournalTail, readJournal } from './journal/reader.ts';
export type { JournalEndpoint, JournalMark, JournalRecord } from './journal/record.ts';
export { type Replay, type ReplayedEndpoint, replayJournal } from './journal/replay.ts';
export { type JournalTrouble, JournalWriter, type JournalWriterOptions } from './journal/writer.ts';
export { type Clock, systemClock } from './schedule/clock.ts';
export type { Pace } from './schedule/pace.ts';
