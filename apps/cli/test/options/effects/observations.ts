import type { ObservedRun } from '../../support/observedRun.ts';
import { readLines } from '../../support/recordedLines.ts';

export const DOCUMENT = 'profile_export_aiperf.json';
export const SERVER_DOCUMENT = 'server_metrics_export.json';
export const unique = (values: readonly unknown[]): unknown[] => [...new Set(values)];
export const getPrompt = ({ body }: ObservedRun['requests'][number]): string =>
  body.messages?.at(-1).content ?? '';
export const countWords = (text: string): number => text.split(/\s+/).length;
export const getPrompts = ({ requests }: ObservedRun): string[] => requests.map(getPrompt);
export const readLoad = ({ readJson }: ObservedRun) => readJson(DOCUMENT).load_generator ?? {};
export const readTag =
  (tag: string) =>
  ({ readJson }: ObservedRun) =>
    readJson(DOCUMENT)[tag]?.avg;
export const readHeader =
  (name: string) =>
  ({ requests }: ObservedRun) =>
    requests[0]?.headers[name];
export const readScrapeHeader =
  (name: string) =>
  ({ scrapes }: ObservedRun) =>
    scrapes[0]?.headers[name];
export const readErrors = ({ readJson }: ObservedRun): string[] =>
  (readJson(DOCUMENT).error_summary ?? []).map(
    ({ error_details: details }: { error_details: { type: string } }) => details.type,
  );
export const computeVariation = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) / mean;
};
export const countSessionTurns = (run: ObservedRun): number => {
  const sessions = readLines(run).map(line => line.session_num);
  return unique(unique(sessions).map(session => sessions.filter(other => other === session).length)).length;
};
export const hasFile =
  (name: string | RegExp) =>
  ({ files }: ObservedRun): boolean =>
    files.some(file => (typeof name === 'string' ? file === name : name.test(file)));
export const hasLine =
  (pattern: RegExp) =>
  ({ err }: ObservedRun): boolean =>
    pattern.test(err);
