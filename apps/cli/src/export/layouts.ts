import type { Options } from 'yargs';
import { type RawOptions, singleValue } from '../optionvalue.ts';

/** How the JSON export can be laid out: schema 1.0, or the flat layout before it with summaries (seed 003). */
export const JSON_LAYOUTS = ['1.0', 'legacy'] as const;
export type JsonLayout = (typeof JSON_LAYOUTS)[number];

/** How the CSV export can be written: ours, or as AIPerf does, with comments, CRLF and four decimals. */
export const CSV_LAYOUTS = ['servelens', 'aiperf'] as const;
export type CsvLayout = (typeof CSV_LAYOUTS)[number];

type LayoutOption = 'json-layout' | 'csv-layout' | 'parquet-partition';

/** The options of a command that say how exports are laid out. */
export const LAYOUT_OPTIONS: Readonly<Record<LayoutOption, Options>> = {
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
  'parquet-partition': {
    boolean: true,
    describe: 'Also write the Parquet rows as a dataset partitioned by endpoint and metric',
  },
};

/** The same in a group of a command's help. */
export function layoutOptionsIn(group: string): Readonly<Record<LayoutOption, Options>> {
  return {
    'json-layout': { group, ...LAYOUT_OPTIONS['json-layout'] },
    'csv-layout': { group, ...LAYOUT_OPTIONS['csv-layout'] },
    'parquet-partition': { group, default: false, ...LAYOUT_OPTIONS['parquet-partition'] },
  };
}

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
