export {
  type BarrierOptions,
  type BarrierSamples,
  Collector,
  type CollectorOptions,
  type FrameSink,
} from './collector.ts';
export {
  type Authorization,
  createBasicAuthorization,
  createBasicFileAuthorization,
  createBearerAuthorization,
  createBearerFileAuthorization,
  createPasswordFileAuthorization,
} from './credentials/authorization.ts';
export { CredentialFileError } from './credentials/credentialFile.ts';
export {
  readTlsFiles,
  readTrust,
  type TlsCredentials,
  type TlsFiles,
  type Trust,
  type TrustFiles,
} from './credentials/trust.ts';
export type { DurationSketch } from './endpoint/durationSketch.ts';
export { Endpoint, type Scrape, type UrlFetcher } from './endpoint/endpoint.ts';
export type { EndpointEvent } from './endpoint/eventReporter.ts';
export {
  type AddressChange,
  type CounterReset,
  type DisplayStatus,
  EndpointHealth,
  type EndpointStatus,
  type Outage,
} from './endpoint/health.ts';
export { QuiescenceDetector } from './endpoint/quiescenceDetector.ts';
export type { ScrapeCost } from './endpoint/scrapeCost.ts';
export type { Access } from './endpoint/target.ts';
export {
  deduplicateTargets,
  parseMetricsTarget,
  parseServerTarget,
  type Target,
  TargetError,
} from './endpoint/target.ts';
export { readTextFile } from './files/fileText.ts';
export { describeSystemError } from './files/systemReason.ts';
export type { Fetched } from './http/exchange.ts';
export type { Failure, FailureReason } from './http/failure.ts';
export { Fetcher, type FetcherOptions, type FetchLimits } from './http/fetcher.ts';
export { DEFAULT_LIMITS, LIMIT_NAMES, type ScrapeLimits } from './http/limits.ts';
export { BlockFile, type BlockFileOptions } from './journal/blockFile.ts';
export { JournalError } from './journal/errors.ts';
export type { JournalFileSystem } from './journal/fileSystem.ts';
export { type JournalReading, type JournalTail, readJournal } from './journal/reader.ts';
export type { JournalEndpoint, JournalMark, JournalRecord } from './journal/record.ts';
export { type Replay, type ReplayedEndpoint, replayJournal } from './journal/replay.ts';
export { type JournalStateChange, JournalWriter, type JournalWriterOptions } from './journal/writer.ts';
export type { AdaptiveInterval } from './schedule/adaptiveInterval.ts';
export { type Clock, createSystemClock } from './schedule/clock.ts';
