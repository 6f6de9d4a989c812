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

/** An OpenMetrics exemplar: an example observation, usually with a trace ID in its labels. */
export interface Exemplar {
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  /** Time in seconds since 1970. */
  readonly timestamp?: number;
}

/** One sample line. */
export interface Sample {
  /** The name as written, except that the name of a counter sample always ends in `_total`. */
  readonly name: string;
  /** Name and value of each label, in the order of the line. */
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  /** Time in seconds since 1970, if the line has a timestamp. */
  readonly timestamp?: number;
  readonly exemplar?: Exemplar;
  /** Set if the value is a native histogram, which is not parsed. */
  readonly native?: true;
  /** Byte offset of the value in the body; -1 if the line has an uncommon form. */
  readonly valueStart: number;
  /** Byte offset of the end of the line: its newline, or the end of the body. */
  readonly lineEnd: number;
}

/** The samples that share a HELP and TYPE, or a sample that has neither. */
export interface SampleFamily {
  readonly name: string;
  readonly type: DeclaredType;
  readonly help: string;
  readonly unit?: string;
  readonly samples: readonly Sample[];
}

/** An invalid line that was skipped. */
export interface BadLine {
  /** Line number, counted from 1. */
  readonly line: number;
  /** The line, truncated to 200 characters. */
  readonly text: string;
  readonly reason: string;
}

/** A parsed body. */
export interface Exposition {
  readonly families: readonly SampleFamily[];
  /** The first 20 skipped lines; always empty in strict mode. */
  readonly badLines: readonly BadLine[];
  /** Total number of skipped lines. */
  readonly badLineCount: number;
}

export interface ParseOptions {
  /** True to throw at the first invalid line instead of skipping it [default: true]. */
  readonly strict?: boolean;
}

/**
 * Error thrown for an invalid body. `message` contains the line number, the reason and the text of the line.
 */
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
