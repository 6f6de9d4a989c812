import { escapeHelp, escapeLabelValue } from './escape.ts';
import type { MetricFamily, MetricType, Registry } from './registry.ts';
import { createdRow, type Row, rowsOf } from './rows.ts';
import type { Style } from './style.ts';

/** A text format that `/metrics` can answer in. */
export type TextFormat = 'classic' | 'openmetrics';

/** Content types as the client libraries send them. */
export const contentTypes: Readonly<Record<TextFormat, string>> = {
  classic: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/**
 * Writes the body of a page: the text exposition format 0.0.4, or OpenMetrics 1.0.
 *
 * What stays the same from one body to the next (names, labels) is put together once for each series.
 */
export class ExpositionWriter {
  readonly #registry: Registry;
  readonly #style: Style;
  readonly #rows = new WeakMap<object, { rows: readonly Row[]; created: Row | undefined }>();

  constructor(registry: Registry, style: Style) {
    this.#registry = registry;
    this.#style = style;
  }

  write(format: TextFormat = 'classic'): string {
    const parts: string[] = [];
    for (const family of this.#families()) {
      if (format === 'openmetrics') this.#writeOpenMetrics(family, parts);
      else this.#writeClassic(family, parts);
    }
    if (format === 'openmetrics') parts.push('# EOF\n');
    return parts.join('');
  }

  #families(): readonly MetricFamily[] {
    const { families } = this.#registry;
    return this.#style.sorted ? families.toSorted((a, b) => compare(a.name, b.name)) : families;
  }

  #writeClassic(family: MetricFamily, parts: string[]): void {
    writeHead(parts, classicName(family), escapeHelp(family.help), classicTypes[family.type]);
    const series = this.#series(family);
    for (const one of series) this.#writeRows(parts, this.#rowsOf(family, one).rows);
    if (!this.#style.created || series.length === 0) return;
    if (!this.#rowsOf(family, series[0]!).created) return;
    // The classic format has no creation times, so the Python client tells of them in a gauge family.
    writeHead(parts, `${family.name}_created`, escapeHelp(family.help), 'gauge');
    for (const one of series) this.#writeRows(parts, [this.#rowsOf(family, one).created!]);
  }

  #writeOpenMetrics(family: MetricFamily, parts: string[]): void {
    const type = family.type === 'untyped' ? 'unknown' : family.type;
    // OpenMetrics escapes HELP as it does label values.
    writeHead(parts, family.name, escapeLabelValue(family.help), type);
    for (const one of this.#series(family)) {
      const { rows, created } = this.#rowsOf(family, one);
      this.#writeRows(parts, rows);
      if (this.#style.created && created) this.#writeRows(parts, [created]);
    }
  }

  #series(family: MetricFamily): MetricFamily['series'] {
    if (!this.#style.sorted) return family.series;
    return family.series.toSorted((a, b) =>
      compare(this.#firstPrefix(family, a), this.#firstPrefix(family, b)),
    );
  }

  #firstPrefix(family: MetricFamily, series: MetricFamily['series'][number]): string {
    return this.#rowsOf(family, series).rows[0]!.prefix;
  }

  #writeRows(parts: string[], rows: readonly Row[]): void {
    for (const { prefix, read } of rows) parts.push(prefix, this.#style.number(read()), '\n');
  }

  #rowsOf(
    family: MetricFamily,
    series: MetricFamily['series'][number],
  ): { rows: readonly Row[]; created: Row | undefined } {
    let known = this.#rows.get(series);
    if (!known) {
      known = { rows: rowsOf(family, series, this.#style), created: createdRow(family, series) };
      this.#rows.set(series, known);
    }
    return known;
  }
}

const classicTypes: Readonly<Record<MetricType, string>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
  summary: 'summary',
  info: 'gauge',
  untyped: '',
};

/** The name on the HELP and TYPE lines of the classic format: the one that the samples have. */
function classicName(family: MetricFamily): string {
  if (family.type === 'counter' && !family.bare) return `${family.name}_total`;
  return family.type === 'info' ? `${family.name}_info` : family.name;
}

function writeHead(parts: string[], name: string, help: string, type: string): void {
  if (help !== '') parts.push('# HELP ', name, ' ', help, '\n');
  if (type !== '') parts.push('# TYPE ', name, ' ', type, '\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
