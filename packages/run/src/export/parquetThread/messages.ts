import type { MetadataEntry, ParquetSummary, ParquetWriterOptions } from '@org/formats/parquet';
import type { SeriesMessage } from './seriesMessage.ts';

/** The file that a thread writes. */
export interface WriterTask {
  readonly path: string;
  readonly options: ParquetWriterOptions;
}

/** A message to the thread. */
export type ToWriter =
  | { readonly type: 'series'; readonly message: SeriesMessage }
  | { readonly type: 'close'; readonly metadata: readonly MetadataEntry[] }
  | { readonly type: 'abort' };

/** A message from the thread. */
export type FromWriter =
  | { readonly type: 'opened' }
  /** A message with series was written. */
  | { readonly type: 'written' }
  | { readonly type: 'closed'; readonly summary: ParquetSummary }
  | { readonly type: 'failed'; readonly error: PassedError };

/** The properties of an error that its reader needs. */
export interface PassedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly path?: string;
}

/** Converts an error to a message. */
export function passError(error: unknown): PassedError {
  const { name, message, code, syscall, path } = error as NodeJS.ErrnoException;
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(syscall === undefined ? {} : { syscall }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Restores an error. */
export function restoreError({ message, ...properties }: PassedError): Error {
  return Object.assign(new Error(message), properties);
}
