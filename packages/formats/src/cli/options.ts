/** How findings are printed. */
export type ReportFormat = 'human' | 'json' | 'junit' | 'github';

export interface RunValidateOptions {
  /** Files, http: and https: URLs, folders with exports in or below them, and `-` for standard input. */
  readonly files: readonly string[];
  /** `human` when absent. */
  readonly format?: ReportFormat;
  /** Also report unknown fields, and let warnings fail. */
  readonly strict?: boolean;
  /** Whether the human report is in colour. Off when absent. */
  readonly color?: boolean;
  /** Where the report goes; standard output when absent. */
  readonly write?: (text: string) => void;
}
