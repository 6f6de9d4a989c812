/** What a `# TYPE` line may declare: Prometheus text 0.0.4 and OpenMetrics 1.0 together. */
export type DeclaredType =
  | 'counter'
  | 'gauge'
  | 'histogram'
  | 'summary'
  | 'unknown'
  | 'info'
  | 'stateset'
  | 'gaugehistogram';

/** An OpenMetrics exemplar: one observation that stands for others. */
export interface Exemplar {
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  /** Seconds since 1970. */
  readonly timestamp?: number;
}

/** One sample line. */
export interface Sample {
  /** As written, except that a counter's sample always ends in `_total`. */
  readonly name: string;
  /** In the order in which the line has them. */
  readonly labels: readonly (readonly [string, string])[];
  readonly value: number;
  /** Seconds since 1970, when the line has a timestamp. */
  readonly timestamp?: number;
  readonly exemplar?: Exemplar;
  /** True for a native histogram, whose value is a structure that we do not read. */
  readonly native?: true;
  /** Where the value's text begins in the body, in bytes; -1 when the line is written in an unusual way. */
  readonly valueStart: number;
  /** Where the line ends in the body, in bytes: its newline, or the body's end. */
  readonly lineEnd: number;
}

/** Samples under one HELP and TYPE, or one sample that has neither. */
export interface SampleFamily {
  readonly name: string;
  readonly type: DeclaredType;
  readonly help: string;
  readonly unit?: string;
  readonly samples: readonly Sample[];
}

/** A line that could not be read, in a body of an endpoint that has already spoken Prometheus. */
export interface BadLine {
  /** 1 for the first line. */
  readonly line: number;
  /** The line, cut to 200 characters. */
  readonly text: string;
  readonly reason: string;
}

/** A whole body, read. */
export interface Exposition {
  readonly families: readonly SampleFamily[];
  /** At most 20 of the lines that were left out; none in strict mode, which throws. */
  readonly badLines: readonly BadLine[];
  /** How many lines were left out. */
  readonly badLineCount: number;
}

export interface ParseOptions {
  /** Throw on the first bad line (the default), or leave it out and go on. */
  readonly strict?: boolean;
}

/** A body is not what its format says. `message` names the line, its text and what was expected. */
export class ExpositionError extends Error {
  override readonly name: string = 'ExpositionError';
  readonly line: number;
  readonly text: string;
  readonly reason: string;

  constructor(line: number, text: string, reason: string) {
    super(`line ${line}: ${reason}: ${JSON.stringify(clip(text))}`);
    this.line = line;
    this.text = clip(text);
    this.reason = reason;
  }
}

const CLIP = 200;

function clip(text: string): string {
  return text.length <= CLIP ? text : `${text.slice(0, CLIP)}…`;
}
