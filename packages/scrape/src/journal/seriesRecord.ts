import type {
  Family,
  FamilyType,
  HistogramSeries,
  Labels,
  Layout,
  Series,
  SlotRole,
  SummarySeries,
} from '@org/core';
import type { ByteReader, ByteWriter } from './byteStream.ts';
import { CorruptionError } from './errors.ts';

/** What an entry of a series record is. Only a family is not a slot: the entries behind it refer to it. */
const ENTRY = { family: 0, scalar: 1, histogram: 2, summary: 3, bucket: 4, quantile: 5 } as const;

const TYPES: readonly FamilyType[] = ['gauge', 'counter', 'histogram', 'summary', 'unknown'];

/** A record ends with the slot by which it has become this long. */
const RECORD_BYTES = 1 << 20;

/** Writes what the slots of one layout are. */
export class SeriesWriter {
  readonly layout: Layout;
  readonly #numbers = new Map<Series, number>();

  constructor(layout: Layout) {
    this.layout = layout;
  }

  /** Writes the slots from `from` on, and returns the first that found no room; the layout's slot count when all did. */
  write(out: ByteWriter, from: number): number {
    const { layout } = this;
    const start = out.length;
    const families = new Families(out);
    let slot = from;
    out.varint(slot);
    while (slot < layout.slotCount && out.length - start < RECORD_BYTES) {
      const role = layout.slot(slot);
      this.#writeSlot(out, role, families);
      slot += role.part === 'sum' ? 2 : 1; // a sum's count always follows it
    }
    return slot;
  }

  #writeSlot(out: ByteWriter, role: SlotRole, families: Families): void {
    if (role.part === 'bucket') {
      const { le, text } = role.bucket;
      this.#writePart(out, ENTRY.bucket, role.series, le, text);
    } else if (role.part === 'quantile') {
      const { quantile, text } = role.quantile;
      this.#writePart(out, ENTRY.quantile, role.series, quantile, text);
    } else {
      const { kind, family, labels } = role.series;
      const number = families.number(family);
      out.byte(ENTRY[kind]);
      out.varint(number);
      writeLabels(out, labels);
    }
  }

  #writePart(out: ByteWriter, entry: number, series: Series, bound: number, text: string): void {
    out.byte(entry);
    out.varint(this.#numberOf(series));
    out.double(bound);
    out.text(text);
  }

  #numberOf(series: Series): number {
    const all = this.layout.series;
    while (this.#numbers.size < all.length) this.#numbers.set(all[this.#numbers.size]!, this.#numbers.size);
    return this.#numbers.get(series)!;
  }
}

/** The families of one record, written when they are first needed. */
class Families {
  readonly #out: ByteWriter;
  readonly #numbers = new Map<string, number>();

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  number({ name, type, help, declaredUnit }: Family): number {
    const key = JSON.stringify([name, type, help, declaredUnit]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const out = this.#out;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    out.byte(ENTRY.family);
    out.byte(TYPES.indexOf(type));
    out.text(name);
    out.text(help);
    out.byte(declaredUnit === undefined ? 0 : 1);
    if (declaredUnit !== undefined) out.text(declaredUnit);
    return number;
  }
}

function writeLabels(out: ByteWriter, labels: Labels): void {
  out.varint(labels.length);
  for (const [name, value] of labels) {
    out.text(name);
    out.text(value);
  }
}

/**
 * Grows a layout by the slots of a record; slots that it has already must be the same. Throws `CorruptionError` where the record does
 * not make the slots that it says; the layout may then have grown by some of them.
 */
export function readSeries(reader: ByteReader, layout: Layout): void {
  const families: Family[] = [];
  let slot = reader.varint();
  if (slot > layout.slotCount)
    throw new CorruptionError(`series follow from slot ${slot}, ${layout.slotCount} are known`);
  while (reader.left > 0) {
    const entry = reader.byte();
    if (entry === ENTRY.family) {
      families.push(readFamily(reader));
      continue;
    }
    const made = makeSlot(reader, layout, entry, families);
    if (made !== slot) throw new CorruptionError(`a series has slot ${made} and should have ${slot}`);
    slot += entry === ENTRY.histogram || entry === ENTRY.summary ? 2 : 1;
  }
}

function makeSlot(reader: ByteReader, layout: Layout, entry: number, families: readonly Family[]): number {
  const number = reader.varint();
  if (entry === ENTRY.bucket) {
    const series = seriesOf(layout, number, 'histogram') as HistogramSeries;
    return layout.bucket(series, reader.double(), reader.text());
  }
  if (entry === ENTRY.quantile) {
    const series = seriesOf(layout, number, 'summary') as SummarySeries;
    return layout.quantile(series, reader.double(), reader.text());
  }
  const family = families[number];
  if (!family) throw new CorruptionError(`a series is of family ${number} of ${families.length}`);
  const labels = readLabels(reader);
  if (entry === ENTRY.scalar) return layout.scalar(family, labels).value;
  if (entry === ENTRY.histogram) return layout.histogram(family, labels).sum;
  if (entry === ENTRY.summary) return layout.summary(family, labels).sum;
  throw new CorruptionError(`a series is of the unknown kind ${entry}`);
}

function seriesOf(layout: Layout, number: number, kind: Series['kind']): Series {
  const series = layout.series[number];
  if (series?.kind !== kind) throw new CorruptionError(`a part is of series ${number}, which is no ${kind}`);
  return series;
}

function readFamily(reader: ByteReader): Family {
  const type = TYPES[reader.byte()];
  if (!type) throw new CorruptionError('a family is of an unknown type');
  const family: Family = { name: reader.text(), type, help: reader.text() };
  return reader.byte() === 0 ? family : { ...family, declaredUnit: reader.text() };
}

function readLabels(reader: ByteReader): Labels {
  const labels: [string, string][] = [];
  for (let left = reader.varint(); left > 0; left--) labels.push([reader.text(), reader.text()]);
  return labels;
}
