/** Format of the validation report. */
export type ReportFormat = 'human' | 'json' | 'junit' | 'github';

/** Options of `runValidate`. */
export interface RunValidateOptions {
  /** Paths, `http:` and `https:` URLs, folders (all exports in them and their subfolders), and `-` for standard input. */
  readonly files: readonly string[];
  /** Default: `human`. */
  readonly format?: ReportFormat;
  /** Reports unknown fields and treats warnings as errors. */
  readonly strict?: boolean;
  /** Colors the human report. Default: false. */
  readonly color?: boolean;
  /** Receives the report. Default: writes to standard output. */
  readonly write?: (text: string) => void;
}
