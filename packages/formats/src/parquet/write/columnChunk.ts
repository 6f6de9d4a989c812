import { crc32 } from 'node:zlib';
import { ByteSink } from '../bytes.ts';
import type { ColumnBuffer } from './columnBuffer.ts';
import { encodePlainTexts } from './dictionary.ts';
import { getBitWidth, HybridEncoder, writeLevels } from './hybrid.ts';
import { NULL_CODE, type Runs } from './runs.ts';
import { snappyCompress } from './snappy.ts';
import { type Bounds, findDoubleBounds, findInt64Bounds, findTextBounds } from './statistics.ts';
import { int64, parquet, serialize } from './thrift.ts';

/**
 * Maximum number of runs in a data page, which readers decompress as a whole. A run of equal values takes a
 * few bytes, a single value up to eight.
 */
const MAX_PAGE_RUNS = 1 << 16;

const PHYSICAL_TYPES = {
  string: parquet.Type.BYTE_ARRAY,
  int64: parquet.Type.INT64,
  double: parquet.Type.DOUBLE,
} as const;

/** Encodes column chunks: dictionary page, data pages and metadata for the footer. */
export class ColumnChunkEncoder {
  readonly #body = new ByteSink(1 << 16);
  readonly #packed = new ByteSink(1 << 16);

  /**
   * Appends the encoded rows of `buffer` to `out`. Returns the metadata for the footer.
   *
   * @param offset file offset of the start of `out`
   */
  encode(buffer: ColumnBuffer, out: ByteSink, offset: number): parquet.ColumnChunk {
    const start = offset + out.length;
    const values = listValues(buffer);
    const usesDictionary = values.size > 0 && isDictionarySmaller(buffer, values);
    let unpacked = 0;
    if (usesDictionary) unpacked += this.#writeDictionaryPage(values, out);
    const dataStart = offset + out.length;
    let pages = 0;
    for (let from = 0; from < buffer.runs.size; from += MAX_PAGE_RUNS, pages++) {
      const to = Math.min(from + MAX_PAGE_RUNS, buffer.runs.size);
      unpacked += this.#writeDataPage(buffer, from, to, usesDictionary ? values.size : undefined, out);
    }
    return buildColumnChunk(buffer, values, {
      start,
      dataStart,
      usesDictionary,
      pages,
      unpacked,
      packed: offset + out.length - start,
    });
  }

  /** Writes a dictionary page and returns its uncompressed size, including the header. */
  #writeDictionaryPage(values: PlainValues, out: ByteSink): number {
    const header = new parquet.PageHeader({
      type: parquet.PageType.DICTIONARY_PAGE,
      uncompressed_page_size: 0,
      compressed_page_size: 0,
      dictionary_page_header: new parquet.DictionaryPageHeader({
        num_values: values.size,
        encoding: parquet.Encoding.PLAIN,
      }),
    });
    return this.#writePage(header, values.plain, out);
  }

  /** Writes the runs `from` to `to` - 1 as a data page. Returns its uncompressed size, including the header. */
  #writeDataPage(
    buffer: ColumnBuffer,
    from: number,
    to: number,
    dictionarySize: number | undefined,
    out: ByteSink,
  ): number {
    const { codes, lengths } = buffer.runs;
    const body = this.#body;
    body.clear();
    if (buffer.column.nullable) writeLevels(body, codes, lengths, from, to);
    if (dictionarySize === undefined) writePlain(body, buffer, from, to);
    else writeCodes(body, buffer.runs, from, to, getBitWidth(dictionarySize));
    let rows = 0;
    for (let run = from; run < to; run++) rows += lengths[run]!;
    const header = new parquet.PageHeader({
      type: parquet.PageType.DATA_PAGE,
      uncompressed_page_size: 0,
      compressed_page_size: 0,
      data_page_header: new parquet.DataPageHeader({
        num_values: rows,
        encoding: dictionarySize === undefined ? parquet.Encoding.PLAIN : parquet.Encoding.RLE_DICTIONARY,
        definition_level_encoding: parquet.Encoding.RLE,
        repetition_level_encoding: parquet.Encoding.RLE,
      }),
    });
    return this.#writePage(header, body.view(), out);
  }

  #writePage(header: parquet.PageHeader, body: Uint8Array, out: ByteSink): number {
    this.#packed.clear();
    snappyCompress(body, this.#packed);
    header.uncompressed_page_size = body.length;
    header.compressed_page_size = this.#packed.length;
    // The checksum field is a signed integer.
    header.crc = crc32(this.#packed.view()) | 0;
    const headerBytes = serialize(header);
    out.append(headerBytes);
    out.append(this.#packed.view());
    return headerBytes.length + body.length;
  }
}

/** The distinct values of a column chunk, in the encoding of a dictionary page. */
interface PlainValues {
  readonly size: number;
  readonly plain: Uint8Array;
  readonly bounds: Bounds | undefined;
}

function listValues(buffer: ColumnBuffer): PlainValues {
  if (buffer.column.type === 'string') {
    const texts = buffer.texts.encodeAll();
    return { size: texts.length, plain: encodePlainTexts(texts), bounds: findTextBounds(texts) };
  }
  const words = buffer.words.getWords();
  return {
    size: buffer.words.size,
    plain: new Uint8Array(words.buffer, words.byteOffset, words.byteLength),
    bounds: buffer.column.type === 'int64' ? findInt64Bounds(words) : findDoubleBounds(words),
  };
}

/**
 * Reports whether a dictionary with codes is smaller than plain values. Strings always use a dictionary,
 * because they repeat.
 */
function isDictionarySmaller({ column, runs }: ColumnBuffer, values: PlainValues): boolean {
  if (column.type === 'string') return true;
  const present = runs.rows - runs.nulls;
  const codeBytes = Math.min((present * getBitWidth(values.size)) / 8, runs.size * 5);
  return values.plain.length + codeBytes < present * 8;
}

function writeCodes(sink: ByteSink, runs: Runs, from: number, to: number, width: number): void {
  sink.writeByte(width);
  const encoder = new HybridEncoder(sink, width);
  for (let run = from; run < to; run++) {
    const code = runs.codes[run]!;
    if (code !== NULL_CODE) encoder.add(code, runs.lengths[run]!);
  }
  encoder.finish();
}

function writePlain(sink: ByteSink, buffer: ColumnBuffer, from: number, to: number): void {
  const { codes, lengths } = buffer.runs;
  const words = buffer.words.getWords();
  for (let run = from; run < to; run++) {
    const code = codes[run]!;
    if (code === NULL_CODE) continue;
    for (let row = 0; row < lengths[run]!; row++) {
      sink.writeLittleEndian(words[code * 2]!, 4);
      sink.writeLittleEndian(words[code * 2 + 1]!, 4);
    }
  }
}

/** Encoded pages of a column chunk. Offsets are relative to the start of the file; sizes are in bytes. */
interface Layout {
  readonly start: number;
  readonly dataStart: number;
  readonly usesDictionary: boolean;
  readonly pages: number;
  readonly unpacked: number;
  readonly packed: number;
}

function buildColumnChunk(
  { column, runs }: ColumnBuffer,
  values: PlainValues,
  layout: Layout,
): parquet.ColumnChunk {
  const dataEncoding = layout.usesDictionary ? parquet.Encoding.RLE_DICTIONARY : parquet.Encoding.PLAIN;
  const metadata = new parquet.ColumnMetaData({
    type: PHYSICAL_TYPES[column.type],
    encodings: layout.usesDictionary
      ? [parquet.Encoding.PLAIN, parquet.Encoding.RLE, parquet.Encoding.RLE_DICTIONARY]
      : [parquet.Encoding.PLAIN, parquet.Encoding.RLE],
    path_in_schema: [column.name],
    codec: parquet.CompressionCodec.SNAPPY,
    num_values: int64(runs.rows),
    total_uncompressed_size: int64(layout.unpacked),
    total_compressed_size: int64(layout.packed),
    data_page_offset: int64(layout.dataStart),
    ...(layout.usesDictionary && { dictionary_page_offset: int64(layout.start) }),
    statistics: new parquet.Statistics({
      null_count: int64(runs.nulls),
      ...(values.bounds && { min_value: values.bounds.min, max_value: values.bounds.max }),
    }),
    encoding_stats: [
      ...(layout.usesDictionary
        ? [
            new parquet.PageEncodingStats({
              page_type: parquet.PageType.DICTIONARY_PAGE,
              encoding: parquet.Encoding.PLAIN,
              count: 1,
            }),
          ]
        : []),
      new parquet.PageEncodingStats({
        page_type: parquet.PageType.DATA_PAGE,
        encoding: dataEncoding,
        count: layout.pages,
      }),
    ],
  });
  return new parquet.ColumnChunk({ file_offset: int64(0), meta_data: metadata });
}
