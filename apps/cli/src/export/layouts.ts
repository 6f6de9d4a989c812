import type { Options } from 'yargs';
import { type RawOptions, singleValue } from '../optionvalue.ts';

/** How the JSON export can be laid out: schema 1.0, or the flat layout before it with summaries (seed 003). */
export const JSON_LAYOUTS = ['1.0', 'legacy'] as const;
export type JsonLayout = (typeof JSON_LAYOUTS)[number];

/** How the CSV export can be written: ours, or as AIPerf does, with comments, CRLF and four decimals. */
export const CSV_LAYOUTS = ['servelens', 'aiperf'] as const;
export type CsvLayout = (typeof CSV_LAYOUTS)[number];

/** The options of a command that say how exports are laid out. */
export const LAYOUT_OPTIONS: Readonly<Record<'json-layout' | 'csv-layout', Options>> = {
  'json-layout': {
    string: true,
    choices: JSON_LAYOUTS,
    describe: 'Layout of the JSON export: schema 1.0, or the flat one of 2025, which has summaries',
    requiresArg: true,
  },
  'csv-layout': {
    string: true,
    choices: CSV_LAYOUTS,
    describe: "Layout of the CSV export: ours, or AIPerf's to the letter",
    requiresArg: true,
  },
};

/** How the exports of a run are laid out; the first of each list where nothing is said. */
export interface Layouts {
  readonly jsonLayout?: JsonLayout;
  readonly csvLayout?: CsvLayout;
}

/** What the options of a command say of layouts, and what `otherwise` says where they say nothing. */
export function layoutsOf(raw: RawOptions, otherwise: Layouts = {}): Layouts {
  const json = singleValue(raw, 'json-layout') ?? otherwise.jsonLayout;
  const csv = singleValue(raw, 'csv-layout') ?? otherwise.csvLayout;
  return {
    ...(json === undefined ? {} : { jsonLayout: json as JsonLayout }),
    ...(csv === undefined ? {} : { csvLayout: csv as CsvLayout }),
  };
}
