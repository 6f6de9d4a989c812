/** How the JSON export can be laid out: schema 1.0, or the flat layout before it with summaries (seed 003). */
export const JSON_LAYOUTS = ['1.0', 'legacy'] as const;
export type JsonLayout = (typeof JSON_LAYOUTS)[number];

/** How the CSV export can be written: ours, or as AIPerf does, with comments, CRLF and four decimals. */
export const CSV_LAYOUTS = ['servelens', 'aiperf'] as const;
export type CsvLayout = (typeof CSV_LAYOUTS)[number];

/** How the exports of a run are laid out; the first of each list where nothing is said. */
export interface Layouts {
  readonly jsonLayout?: JsonLayout;
  readonly csvLayout?: CsvLayout;
}
