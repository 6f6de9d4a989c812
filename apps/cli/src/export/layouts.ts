import { CSV_LAYOUTS, type CsvLayout, JSON_LAYOUTS, type JsonLayout, type Layouts } from '@org/record';
import type { Options } from 'yargs';
import { type RawOptions, singleValue } from '../optionvalue.ts';

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

/** What the options of a command say of layouts, and what `otherwise` says where they say nothing. */
export function layoutsOf(raw: RawOptions, otherwise: Layouts = {}): Layouts {
  const json = singleValue(raw, 'json-layout') ?? otherwise.jsonLayout;
  const csv = singleValue(raw, 'csv-layout') ?? otherwise.csvLayout;
  return {
    ...(json === undefined ? {} : { jsonLayout: json as JsonLayout }),
    ...(csv === undefined ? {} : { csvLayout: csv as CsvLayout }),
  };
}
