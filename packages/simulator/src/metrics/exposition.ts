import type { ExpositionStyle } from './expositionStyle.ts';
import type { MetricFamily, MetricType, Registry } from './registry.ts';
import { createCreationLine, createSampleLines, escapeLabelValue, type SampleLine } from './sampleLine.ts';

/** A text format of metrics pages: Prometheus 0.0.4 (`classic`) or OpenMetrics. */
export type TextFormat = 'classic' | 'openmetrics';

/** Content-Type headers by format, as sent by Prometheus client libraries. */
export const CONTENT_TYPES: Readonly<Record<TextFormat, string>> = {
  classic: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/**
 * Writes the body of a page in text exposition format 0.0.4 or OpenMetrics 1.0.
 *
 * The constant part of each line (name and labels) is formatted once per series.
 */
export class ExpositionWriter {
  readonly #registry: Registry;
  readonly #style: ExpositionStyle;
  readonly #lines = new WeakMap<
    object,
    { samples: readonly SampleLine[]; created: SampleLine | undefined }
  >();

  constructor(registry: Registry, style: ExpositionStyle) {
    this.#registry = registry;
    this.#style = style;
  }

  /** Returns the body with the current values. */
  write(format: TextFormat = 'classic'): string {
    const chunks: string[] = [];
    for (const family of this.#listFamilies()) {
      if (format === 'openmetrics') this.#writeOpenMetrics(family, chunks);
      else this.#writeClassic(family, chunks);
    }
    if (format === 'openmetrics') chunks.push('# EOF\n');
    return chunks.join('');
  }

  #listFamilies(): readonly MetricFamily[] {
    const { families: declared } = this.#registry;
    const families = this.#style.omitsEmptyFamilies
      ? declared.filter(({ series }) => series.length > 0)
      : declared;
    return this.#style.isSorted ? families.toSorted((a, b) => compare(a.name, b.name)) : families;
  }

  #writeClassic(family: MetricFamily, chunks: string[]): void {
    writeHead(chunks, getClassicName(family), escapeHelp(family.help), CLASSIC_TYPES[family.type]);
    const series = this.#sortSeries(family);
    for (const labeledSeries of series)
      this.#writeLines(chunks, this.#getLines(family, labeledSeries).samples);
    if (!this.#style.hasCreationTimes || series.length === 0) return;
    if (!this.#getLines(family, series[0]!).created) return;
    // The classic format has no creation times; the Python client exports them as a gauge family.
    writeHead(chunks, `${family.name}_created`, escapeHelp(family.help), 'gauge');
    for (const labeledSeries of series)
      this.#writeLines(chunks, [this.#getLines(family, labeledSeries).created!]);
  }

  #writeOpenMetrics(family: MetricFamily, chunks: string[]): void {
    const type = family.type === 'untyped' ? 'unknown' : family.type;
    // OpenMetrics escapes HELP texts like label values.
    writeHead(chunks, family.name, escapeLabelValue(family.help), type);
    for (const series of this.#sortSeries(family)) {
      const { samples, created } = this.#getLines(family, series);
      this.#writeLines(chunks, samples);
      if (this.#style.hasCreationTimes && created) this.#writeLines(chunks, [created]);
    }
  }

  #sortSeries(family: MetricFamily): MetricFamily['series'] {
    if (!this.#style.isSorted) return family.series;
    return family.series.toSorted((a, b) =>
      compare(this.#getFirstPrefix(family, a), this.#getFirstPrefix(family, b)),
    );
  }

  #getFirstPrefix(family: MetricFamily, series: MetricFamily['series'][number]): string {
    return this.#getLines(family, series).samples[0]!.prefix;
  }

  #writeLines(chunks: string[], lines: readonly SampleLine[]): void {
    for (const { prefix, read } of lines) chunks.push(prefix, this.#style.formatNumber(read()), '\n');
  }

  #getLines(
    family: MetricFamily,
    series: MetricFamily['series'][number],
  ): { samples: readonly SampleLine[]; created: SampleLine | undefined } {
    let lines = this.#lines.get(series);
    if (!lines) {
      lines = {
        samples: createSampleLines(family, series, this.#style),
        created: createCreationLine(family, series),
      };
      this.#lines.set(series, lines);
    }
    return lines;
  }
}

const CLASSIC_TYPES: Readonly<Record<MetricType, string>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
  summary: 'summary',
  info: 'gauge',
  untyped: '',
};

/** Returns the name on HELP and TYPE lines in the classic format, which includes suffixes such as `_total`. */
function getClassicName(family: MetricFamily): string {
  if (family.type === 'counter' && !family.omitsTotal) return `${family.name}_total`;
  return family.type === 'info' ? `${family.name}_info` : family.name;
}

function writeHead(chunks: string[], name: string, help: string, type: string): void {
  if (help !== '') chunks.push('# HELP ', name, ' ', help, '\n');
  if (type !== '') chunks.push('# TYPE ', name, ' ', type, '\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Escapes a HELP text of the classic format, which has no escape for double quotes. */
function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
