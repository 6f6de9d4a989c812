import type { ProfileRecord } from '../generated/profileRecord.ts';
import { type LineWriter, openLines } from './lineWriter.ts';
import { type LineOptions, writeProfileRecordLine } from './writeRecordLine.ts';

/** Writes profile_export.jsonl during a run. */
export interface ProfileRecordWriter extends Omit<LineWriter, 'append'> {
  /** Writes one line, as {@link LineWriter}. Also rejects if the record cannot be converted to JSON. */
  readonly append: (record: ProfileRecord) => Promise<void>;
}

/**
 * Creates or replaces profile_export.jsonl for writing line by line.
 *
 * @throws an error of the file system if the file cannot be created
 */
export async function openProfileRecords(
  path: string,
  options: LineOptions = {},
): Promise<ProfileRecordWriter> {
  const writer = await openLines(path);
  return {
    append: async record => writer.append(writeProfileRecordLine(record, options)),
    get lines() {
      return writer.lines;
    },
    get failure() {
      return writer.failure;
    },
    close: writer.close,
  };
}
