/** The types of a `# TYPE` line in Prometheus text 0.0.4 and OpenMetrics 1.0. */
export type DeclaredType =
  | 'counter'
  | 'gauge'
  | 'histogram'
  | 'summary'
  | 'unknown'
  | 'info'
  | 'stateset'
  | 'gaugehistogram';

/** An OpenMetrics exemplar: a sampled observation. */
export interface Exemplar {
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  /** Time in seconds since 1970. */
  readonly timestamp?: number;
}

/** One sample line. */
export interface Sample {
  /** The name as written, except that a counter's sample always ends in `_total`. */
  readonly name: string;
  /** Labels, in the order of the line. */
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  /** Time in seconds since 1970, if the line has a timestamp. */
  readonly timestamp?: number;
  readonly exemplar?: Exemplar;
  /** Set for a native histogram, whose value is not parsed. */
  readonly native?: true;
  /** Byte offset of the value in the body; -1 if the line is written in an uncommon form. */
  readonly valueStart: number;
  /** Byte offset of the end of the line: its newline, or the end of the body. */
  readonly lineEnd: number;
}

/** The samples under one HELP and TYPE, or a single sample without either. */
export interface SampleFamily {
  readonly name: string;
  readonly type: DeclaredType;
  readonly help: string;
  readonly unit?: string;
  readonly samples: readonly Sample[];
}

/** An invalid line that was skipped. */
export interface BadLine {
  /** Line number, from 1. */
  readonly line: number;
  /** The line, truncated to 200 characters. */
  readonly text: string;
  readonly reason: string;
}

/** A parsed body. */
export interface Exposition {
  readonly families: readonly SampleFamily[];
  /** The first 20 skipped lines; empty in strict mode, which throws. */
  readonly badLines: readonly BadLine[];
  /** Total number of skipped lines. */
  readonly badLineCount: number;
}

export interface ParseOptions {
  /** Throws at the first invalid line (the default) instead of skipping it. */
  readonly strict?: boolean;
}

/** A body violates its format. `message` contains the line number, its text and what was expected. */
export class ExpositionError extends Error {
  override readonly name: string = 'ExpositionError';
  readonly line: number;
  readonly text: string;
  readonly reason: string;

  constructor(line: number, text: string, reason: string) {
    super(`line ${line}: ${reason}: ${JSON.stringify(truncate(text))}`);
    this.line = line;
    this.text = truncate(text);
    this.reason = reason;
  }
}

const MAX_TEXT_CHARACTERS = 200;

function truncate(text: string): string {
  return text.length <= MAX_TEXT_CHARACTERS ? text : `${text.slice(0, MAX_TEXT_CHARACTERS)}…`;
}
