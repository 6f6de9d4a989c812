import type { ExpositionStyle } from './expositionStyle.ts';
import type { MetricFamily, MetricType, Registry } from './registry.ts';
import { createCreationLine, createSampleLines, escapeLabelValue, type SampleLine } from './sampleLine.ts';

/** A text format of the metrics pages. */
export type TextFormat = 'classic' | 'openmetrics';

/** Content types, as sent by the client libraries. */
export const CONTENT_TYPES: Readonly<Record<TextFormat, string>> = {
  classic: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/**
 * Writes the body of a page in text exposition format 0.0.4 or OpenMetrics 1.0.
 *
 * The constant part of each line (name, labels) is created once per series.
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

  write(format: TextFormat = 'classic'): string {
    const parts: string[] = [];
    for (const family of this.#sortFamilies()) {
      if (format === 'openmetrics') this.#writeOpenMetrics(family, parts);
      else this.#writeClassic(family, parts);
    }
    if (format === 'openmetrics') parts.push('# EOF\n');
    return parts.join('');
  }

  #sortFamilies(): readonly MetricFamily[] {
    const { families } = this.#registry;
    return this.#style.isSorted ? families.toSorted((a, b) => compare(a.name, b.name)) : families;
  }

  #writeClassic(family: MetricFamily, parts: string[]): void {
    writeHead(parts, getClassicName(family), escapeHelp(family.help), CLASSIC_TYPES[family.type]);
    const series = this.#sortSeries(family);
    for (const labeled of series) this.#writeLines(parts, this.#getLines(family, labeled).samples);
    if (!this.#style.hasCreationTimes || series.length === 0) return;
    if (!this.#getLines(family, series[0]!).created) return;
    // The classic format has no creation times; the Python client exports them as a gauge family.
    writeHead(parts, `${family.name}_created`, escapeHelp(family.help), 'gauge');
    for (const labeled of series) this.#writeLines(parts, [this.#getLines(family, labeled).created!]);
  }

  #writeOpenMetrics(family: MetricFamily, parts: string[]): void {
    const type = family.type === 'untyped' ? 'unknown' : family.type;
    // OpenMetrics escapes HELP like label values.
    writeHead(parts, family.name, escapeLabelValue(family.help), type);
    for (const series of this.#sortSeries(family)) {
      const { samples, created } = this.#getLines(family, series);
      this.#writeLines(parts, samples);
      if (this.#style.hasCreationTimes && created) this.#writeLines(parts, [created]);
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

  #writeLines(parts: string[], lines: readonly SampleLine[]): void {
    for (const { prefix, read } of lines) parts.push(prefix, this.#style.formatNumber(read()), '\n');
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

/** Returns the name on the HELP and TYPE lines of the classic format, which is the name of the samples. */
function getClassicName(family: MetricFamily): string {
  if (family.type === 'counter' && !family.omitsTotal) return `${family.name}_total`;
  return family.type === 'info' ? `${family.name}_info` : family.name;
}

function writeHead(parts: string[], name: string, help: string, type: string): void {
  if (help !== '') parts.push('# HELP ', name, ' ', help, '\n');
  if (type !== '') parts.push('# TYPE ', name, ' ', type, '\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Escapes a HELP text of the classic format, which has no escape for double quotes. */
function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
