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
 * The kinds of entries in a series record. An entry defines a family or adds slots. Scalars, histograms and
 * summaries refer to a family of the record by its index; buckets and quantiles refer to a series of the
 * layout.
 */
const ENTRY = { family: 0, scalar: 1, histogram: 2, summary: 3, bucket: 4, quantile: 5 } as const;

const TYPES: readonly FamilyType[] = ['gauge', 'counter', 'histogram', 'summary', 'unknown'];

/** Approximate maximum size of a record, in bytes: no entry is added to a record of this size. */
const MAX_RECORD_BYTES = 1 << 20;

/** Writes series records, which describe the slots of one layout. */
export class SeriesWriter {
  readonly layout: Layout;
  readonly #numbers = new Map<Series, number>();

  constructor(layout: Layout) {
    this.layout = layout;
  }

  /**
   * Writes one record of slots, starting with slot `from`. Returns the first slot that was not written, or
   * the slot count of the layout if all were written.
   */
  write(out: ByteWriter, from: number): number {
    const { layout } = this;
    const start = out.length;
    const families = new FamilyNumbers(out);
    let slot = from;
    out.writeVarint(slot);
    while (slot < layout.slotCount && out.length - start < MAX_RECORD_BYTES) {
      const role = layout.getRole(slot);
      this.#writeSlot(out, role, families);
      slot += role.part === 'sum' ? 2 : 1; // the slot after a sum is always its count
    }
    return slot;
  }

  #writeSlot(out: ByteWriter, role: SlotRole, families: FamilyNumbers): void {
    if (role.part === 'bucket') {
      const { le, text } = role.bucket;
      this.#writePart(out, ENTRY.bucket, role.series, le, text);
    } else if (role.part === 'quantile') {
      const { quantile, text } = role.quantile;
      this.#writePart(out, ENTRY.quantile, role.series, quantile, text);
    } else {
      const { kind, family, labels } = role.series;
      const number = families.getNumber(family);
      out.writeByte(ENTRY[kind]);
      out.writeVarint(number);
      writeLabels(out, labels);
    }
  }

  #writePart(out: ByteWriter, entry: number, series: Series, bound: number, text: string): void {
    out.writeByte(entry);
    out.writeVarint(this.#getNumber(series));
    out.writeDouble(bound);
    out.writeText(text);
  }

  #getNumber(series: Series): number {
    const allSeries = this.layout.series;
    while (this.#numbers.size < allSeries.length)
      this.#numbers.set(allSeries[this.#numbers.size]!, this.#numbers.size);
    return this.#numbers.get(series)!;
  }
}

/** Assigns numbers to the families of one record. Each family is written on first use. */
class FamilyNumbers {
  readonly #out: ByteWriter;
  readonly #numbers = new Map<string, number>();

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  getNumber({ name, type, help, declaredUnit }: Family): number {
    const key = JSON.stringify([name, type, help, declaredUnit]);
    const existingNumber = this.#numbers.get(key);
    if (existingNumber !== undefined) return existingNumber;
    const out = this.#out;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    out.writeByte(ENTRY.family);
    out.writeByte(TYPES.indexOf(type));
    out.writeText(name);
    out.writeText(help);
    out.writeByte(declaredUnit === undefined ? 0 : 1);
    if (declaredUnit !== undefined) out.writeText(declaredUnit);
    return number;
  }
}

function writeLabels(out: ByteWriter, labels: Labels): void {
  out.writeVarint(labels.length);
  for (const [name, value] of labels) {
    out.writeText(name);
    out.writeText(value);
  }
}

/**
 * Adds the slots of a series record to a layout. Slots that already exist must match. Throws
 * `CorruptionError` if the record is invalid or does not result in the slots that it declares; part of its
 * slots may then have been added.
 */
export function readSeries(reader: ByteReader, layout: Layout): void {
  const families: Family[] = [];
  let slot = reader.readVarint();
  if (slot > layout.slotCount)
    throw new CorruptionError(`series start at slot ${slot}, but ${layout.slotCount} slots are known`);
  while (reader.remainingBytes > 0) {
    const entryKind = reader.readByte();
    if (entryKind === ENTRY.family) {
      families.push(readFamily(reader));
      continue;
    }
    const actualSlot = addSlot(reader, layout, entryKind, families);
    if (actualSlot !== slot) throw new CorruptionError(`a series has slot ${actualSlot}; expected ${slot}`);
    slot += entryKind === ENTRY.histogram || entryKind === ENTRY.summary ? 2 : 1;
  }
}

function addSlot(reader: ByteReader, layout: Layout, entry: number, families: readonly Family[]): number {
  const number = reader.readVarint();
  if (entry === ENTRY.bucket) {
    const series = getSeries(layout, number, 'histogram') as HistogramSeries;
    return layout.bucket(series, reader.readDouble(), reader.readText());
  }
  if (entry === ENTRY.quantile) {
    const series = getSeries(layout, number, 'summary') as SummarySeries;
    return layout.quantile(series, reader.readDouble(), reader.readText());
  }
  const family = families[number];
  if (!family)
    throw new CorruptionError(
      `a series refers to family ${number}, but the record defines ${families.length}`,
    );
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
  const type = TYPES[reader.readByte()];
  if (!type) throw new CorruptionError('a family has an unknown type');
  const family: Family = { name: reader.readText(), type, help: reader.readText() };
  return reader.readByte() === 0 ? family : { ...family, declaredUnit: reader.readText() };
}

function readLabels(reader: ByteReader): Labels {
  const labels: [string, string][] = [];
  for (let remaining = reader.readVarint(); remaining > 0; remaining--)
    labels.push([reader.readText(), reader.readText()]);
  return labels;
}
