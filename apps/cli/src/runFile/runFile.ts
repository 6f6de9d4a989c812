import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunDocument } from '@org/discovery/config';
import { UserFileError } from '@org/terminal/userFile';
import { type FileOption, RunFileReader } from './field.ts';
import { readScenarios } from './readScenarios.ts';
import { renderRun } from './renderRun.ts';
import { readRunSections } from './runSections.ts';

/** The options that a run file sets. */
export interface RunFile {
  readonly document: RunDocument;
  /** The contents, with variables and templates replaced. */
  readonly contents: Readonly<Record<string, unknown>>;
  readonly options: readonly FileOption[];
  /** Paths of values that have no effect. */
  readonly ignored: readonly string[];
  /** Deletes the file with the requests of the run file, if there is one. */
  release(): void;
}

/** Options of the file that another option of the file or of the command line replaces. */
export const REPLACED_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'no-server-metrics': ['server-metrics', 'server-metrics-formats'],
  'no-gpu-telemetry': ['gpu-telemetry'],
  'no-fixed-schedule': ['fixed-schedule'],
  'request-rate': ['user-centric-rate', 'num-users'],
  'system-prompt': ['system-prompt-file'],
  'system-prompt-file': ['system-prompt'],
  'token-count': ['use-server-token-count'],
  live: ['ui'],
  quiet: ['ui'],
};

/** Reads the options of a run file. Throws `UserFileError` with all problems. */
export async function readRunFile(document: RunDocument): Promise<RunFile> {
  const reader = new RunFileReader(document.file);
  const contents = await renderRun(document, reader);
  throwProblems(document, reader);
  readRunSections(contents, reader);
  throwProblems(document, reader);
  readScenarios(document.file, contents, reader);
  throwProblems(document, reader);
  for (const [name, replaced] of Object.entries(REPLACED_OPTIONS))
    if (reader.options.has(name)) for (const option of replaced) reader.options.delete(option);
  const folder = writeRecords(reader);
  // Only files have timestamps.
  if (!reader.options.has('input-file') && reader.options.get('fixed-schedule')?.values[0] === 'false')
    reader.options.delete('fixed-schedule');
  return {
    document,
    contents,
    options: [...reader.options.values()],
    ignored: reader.ignored,
    release: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function throwProblems({ path }: RunDocument, { problems }: RunFileReader): void {
  if (problems.length > 0) throw new UserFileError(path, problems);
}

/** Writes the requests of the run file to a file, which --input-file reads. Returns its folder. */
function writeRecords(reader: RunFileReader): string | undefined {
  if (reader.records === undefined) return undefined;
  const { lines, path } = reader.records;
  const folder = mkdtempSync(join(tmpdir(), 'servelens-'));
  const file = join(folder, 'records.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  reader.set('input-file', [file], path);
  return folder;
}
