/** Scraping of Prometheus endpoints: credentials, HTTP, parsing, scheduling and the journal of frames. */
export {
  Collector,
  type CollectorOptions,
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
  readTlsConfig,
  readTlsFiles,
  type TlsConfig,
  type TlsCredentials,
  type TlsFiles,
} from './credentials/tlsConfig.ts';
export { Endpoint } from './endpoint/endpoint.ts';
export type { EndpointEvent } from './endpoint/eventReporter.ts';
export type {
  Absence,
  AddressChange,
  Outage,
} from './endpoint/health.ts';
export type { UrlFetcher } from './endpoint/pageScraper.ts';
export { QuiescenceDetector } from './endpoint/quiescenceDetector.ts';
export { type DetectedReset, ResetDetector } from './endpoint/resetDetector.ts';
export type { Scrape } from './endpoint/scrape.ts';
export type { Access } from './endpoint/target.ts';
export {
  deduplicateTargets,
  MAX_URL_CHARACTERS,
  parseExactTarget,
  parseMetricsTarget,
  parseServerTarget,
  type Target,
  TargetError,
} from './endpoint/target.ts';
export { redactTargetLabels, type TargetLabels } from './endpoint/targetLabels.ts';
export { identifyTarget, TargetRoster } from './endpoint/targetRoster.ts';
export type { TargetSource } from './endpoint/targetSource.ts';
export type { FetchResult } from './http/exchange.ts';
export { type Failure, type FailureReason, toFailure } from './http/failure.ts';
export { Fetcher, type FetcherOptions, type FetchLimits } from './http/fetcher.ts';
export { DEFAULT_LIMITS, LIMIT_NAMES, type ScrapeLimits } from './http/limits.ts';
export { BlockFile, type BlockFileOptions } from './journal/blockFile.ts';
export type { JournalFileSystem } from './journal/fileSystem.ts';
export { JournalFollower } from './journal/follower.ts';
export { JournalError } from './journal/format.ts';
export { hasEndRecord } from './journal/journalEnd.ts';
export { readJournal } from './journal/reader.ts';
export type { JournalMark, JournalRecord } from './journal/record.ts';
export { type Replay, replayJournal } from './journal/replay.ts';
export { JournalWriter, type JournalWriterOptions } from './journal/writer.ts';
export { createSystemClock } from './schedule/clock.ts';
export { readTextFile } from './textFile.ts';
