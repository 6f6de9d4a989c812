import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProfileExport, ProfileMetric, ProfileRecord, ProfileTimeslices } from '@org/formats';
import { readProfileExport, readProfileRecords, readProfileTimeslices } from '@org/formats/read';
import { type ProfileResult, profile, type RunOptions } from '@org/run';
import { onTestFinished } from 'vitest';
import { parseCommandLine } from '../../../../packages/terminal/dist/program/parse.js';
import { profileCommand } from '../../src/commands/profile.ts';
import { type ProfileOptions, readProfileOptions } from '../../src/profile/profileOptions.ts';
import { testIo } from '../io.ts';

/** Short waits: the real ones are for real servers. */
export const FAST: Readonly<Record<string, string>> = {
  AIPERF_SERVER_METRICS_COLLECTION_INTERVAL: '0.05',
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0',
};

export const MODEL = 'servelens/simulated-8b';

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'profile-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Reads the options of a command line, except for `--config`. */
export function optionsOf(args: readonly string[], cwd = '/home/me'): ProfileOptions {
  return readProfileOptions(parseCommandLine(profileCommand, args, 'servelens profile'), testIo(cwd, FAST));
}

/** Runs one profile against a server, into a folder that is gone when the test is over. */
export async function ran(
  url: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<ProfileResult & { readonly folder: string }> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return ranInto(temporaryFolder(), url, args, { signal: controller.signal, ...options });
}

/** Runs one profile into this folder. */
export async function ranInto(
  folder: string,
  url: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<ProfileResult & { readonly folder: string }> {
  const { plan } = optionsOf(
    ['--model', MODEL, '--url', url, '--artifact-dir', folder, '--random-seed', '7', ...args],
    folder,
  );
  const result = await profile(plan, {
    version: '0.0.0',
    cliCommand: 'servelens profile',
    ...options,
  });
  return { ...result, folder };
}

/** What the client's files of a run say. */
export async function filesOf(folder: string): Promise<{
  readonly document: ProfileExport;
  readonly records: readonly ProfileRecord[];
  readonly slices: ProfileTimeslices | undefined;
}> {
  const files = {
    json: join(folder, 'profile_export_aiperf.json'),
    jsonl: join(folder, 'profile_export.jsonl'),
    slicesJson: join(folder, 'profile_export_aiperf_timeslices.json'),
  };
  const records: ProfileRecord[] = [];
  for await (const record of readProfileRecords(files.jsonl)) records.push(record);
  return {
    document: await readProfileExport(files.json),
    records,
    slices: await readProfileTimeslices(files.slicesJson).catch(() => undefined),
  };
}

export function blockOf(document: object, tag: string): ProfileMetric {
  const block = (document as Record<string, ProfileMetric | undefined>)[tag];
  if (!block) throw new Error(`there is no ${tag}`);
  return block;
}

export function textOf(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}
