import parquet from '@dsnp/parquetjs/dist/gen-nodejs/parquet_types.js';
import parquetUtil from '@dsnp/parquetjs/dist/lib/util.js';
import { int64, serialize } from '../../../src/parquet/write/thrift.ts';

/** Returns a copy of a file whose parsed footer is modified by `change`. */
export function changeFooter(file: Buffer, change: (footer: parquet.FileMetaData) => void): Buffer {
  const { start, footer } = parseFooter(file);
  change(footer);
  return appendFooter(file.subarray(0, start), serialize(footer));
}

/** Returns `data` followed by a footer of any bytes, its length and the magic bytes. */
export function appendFooter(data: Uint8Array, footer: Uint8Array): Buffer {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(footer.length, 0);
  end.write('PAR1', 4, 'latin1');
  return Buffer.concat([data, footer, end]);
}

/**
 * Returns a copy of a file in which the chunk of `column` in the first row group is replaced with `pages`.
 * `change` modifies the metadata of the chunk.
 */
export function changeChunk(
  file: Buffer,
  column: string,
  pages: Uint8Array,
  change: (metadata: parquet.ColumnMetaData) => void = () => {},
): Buffer {
  const { start, footer } = parseFooter(file);
  const chunk = footer.row_groups[0]!.columns.find(
    ({ meta_data }) => meta_data!.path_in_schema[0] === column,
  )!;
  const metadata = chunk.meta_data!;
  delete metadata.dictionary_page_offset;
  metadata.data_page_offset = int64(start);
  metadata.total_compressed_size = int64(pages.length);
  change(metadata);
  return appendFooter(Buffer.concat([file.subarray(0, start), pages]), serialize(footer));
}

/** Fields of a page header. */
export interface PageParts {
  readonly rows?: number;
  readonly encoding?: parquet.Encoding;
  /** Uncompressed size in the header. Default: the size of the body. */
  readonly unpackedSize?: number;
  /** Compressed size in the header. Default: the size of the body. */
  readonly packedSize?: number;
  readonly isDictionary?: boolean;
}

/** Builds a page: a header, followed by `body` as is. */
export function buildPage(body: Uint8Array, parts: PageParts = {}): Buffer {
  const { rows = 1, encoding = parquet.Encoding.PLAIN, isDictionary = false } = parts;
  const header = new parquet.PageHeader({
    type: isDictionary ? parquet.PageType.DICTIONARY_PAGE : parquet.PageType.DATA_PAGE,
    uncompressed_page_size: parts.unpackedSize ?? body.length,
    compressed_page_size: parts.packedSize ?? body.length,
    ...(isDictionary
      ? { dictionary_page_header: new parquet.DictionaryPageHeader({ num_values: rows, encoding }) }
      : {
          data_page_header: new parquet.DataPageHeader({
            num_values: rows,
            encoding,
            definition_level_encoding: parquet.Encoding.RLE,
            repetition_level_encoding: parquet.Encoding.RLE,
          }),
        }),
  });
  return Buffer.concat([serialize(header), body]);
}

function parseFooter(file: Buffer): { start: number; footer: parquet.FileMetaData } {
  const start = file.length - 8 - file.readUInt32LE(file.length - 8);
  const footer = new parquet.FileMetaData();
  parquetUtil.decodeThrift(footer, file.subarray(start));
  return { start, footer };
}
