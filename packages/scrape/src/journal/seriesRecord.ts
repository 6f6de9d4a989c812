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
import { CorruptionError } from './format.ts';

/**
 * The kinds of entries in a series record. All but families are slots, and refer to an earlier family or
 * series by its index.
 */
const ENTRY = { family: 0, scalar: 1, histogram: 2, summary: 3, bucket: 4, quantile: 5 } as const;

const TYPES: readonly FamilyType[] = ['gauge', 'counter', 'histogram', 'summary', 'unknown'];

/** A record is finished once it exceeds this size. */
const RECORD_BYTES = 1 << 20;

/** Writes the slots of one layout. */
export class SeriesWriter {
  readonly layout: Layout;
  readonly #numbers = new Map<Series, number>();

  constructor(layout: Layout) {
    this.layout = layout;
  }

  /**
   * Writes slots from `from` on, as many as fit in a record. Returns the first slot not written; the slot
   * count if all were.
   */
  write(out: ByteWriter, from: number): number {
    const { layout } = this;
    const start = out.length;
    const families = new Families(out);
    let slot = from;
    out.varint(slot);
    while (slot < layout.slotCount && out.length - start < RECORD_BYTES) {
      const role = layout.slot(slot);
      this.#writeSlot(out, role, families);
      slot += role.part === 'sum' ? 2 : 1; // the count of a sum always follows it
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
      const number = families.getNumber(family);
      out.byte(ENTRY[kind]);
      out.varint(number);
      writeLabels(out, labels);
    }
  }

  #writePart(out: ByteWriter, entry: number, series: Series, bound: number, text: string): void {
    out.byte(entry);
    out.varint(this.#getNumber(series));
    out.double(bound);
    out.text(text);
  }

  #getNumber(series: Series): number {
    const all = this.layout.series;
    while (this.#numbers.size < all.length) this.#numbers.set(all[this.#numbers.size]!, this.#numbers.size);
    return this.#numbers.get(series)!;
  }
}

/** Numbers the families of one record and writes each on first use. */
class Families {
  readonly #out: ByteWriter;
  readonly #numbers = new Map<string, number>();

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  getNumber({ name, type, help, declaredUnit }: Family): number {
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
 * Adds the slots of a record to a layout; slots that already exist must be equal. Throws `CorruptionError` if
 * the record does not yield the slots it declares; the layout may then have grown partially.
 */
export function readSeries(reader: ByteReader, layout: Layout): void {
  const families: Family[] = [];
  let slot = reader.varint();
  if (slot > layout.slotCount)
    throw new CorruptionError(`series start at slot ${slot}, but ${layout.slotCount} slots are known`);
  while (reader.left > 0) {
    const entry = reader.byte();
    if (entry === ENTRY.family) {
      families.push(readFamily(reader));
      continue;
    }
    const added = addSlot(reader, layout, entry, families);
    if (added !== slot) throw new CorruptionError(`a series has slot ${added}; expected ${slot}`);
    slot += entry === ENTRY.histogram || entry === ENTRY.summary ? 2 : 1;
  }
}

function addSlot(reader: ByteReader, layout: Layout, entry: number, families: readonly Family[]): number {
  const number = reader.varint();
  if (entry === ENTRY.bucket) {
    const series = getSeries(layout, number, 'histogram') as HistogramSeries;
    return layout.bucket(series, reader.double(), reader.text());
  }
  if (entry === ENTRY.quantile) {
    const series = getSeries(layout, number, 'summary') as SummarySeries;
    return layout.quantile(series, reader.double(), reader.text());
  }
  const family = families[number];
  if (!family) throw new CorruptionError(`a series refers to family ${number} of ${families.length}`);
  const labels = readLabels(reader);
  if (entry === ENTRY.scalar) return layout.scalar(family, labels).value;
  if (entry === ENTRY.histogram) return layout.histogram(family, labels).sum;
  if (entry === ENTRY.summary) return layout.summary(family, labels).sum;
  throw new CorruptionError(`a series has the unknown kind ${entry}`);
}

function getSeries(layout: Layout, number: number, kind: Series['kind']): Series {
  const series = layout.series[number];
  if (series?.kind !== kind)
    throw new CorruptionError(`a bucket or quantile refers to series ${number}, which is not a ${kind}`);
  return series;
}

function readFamily(reader: ByteReader): Family {
  const type = TYPES[reader.byte()];
  if (!type) throw new CorruptionError('a family has an unknown type');
  const family: Family = { name: reader.text(), type, help: reader.text() };
  return reader.byte() === 0 ? family : { ...family, declaredUnit: reader.text() };
}

function readLabels(reader: ByteReader): Labels {
  const labels: [string, string][] = [];
  for (let left = reader.varint(); left > 0; left--) labels.push([reader.text(), reader.text()]);
  return labels;
}
