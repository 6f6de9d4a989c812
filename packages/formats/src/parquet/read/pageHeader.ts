import { ParquetError } from '../error.ts';
import type { CompactReader } from './compact.ts';

/** Page types, by their number in parquet.thrift. */
export const PageType = { DATA_PAGE: 0, INDEX_PAGE: 1, DICTIONARY_PAGE: 2, DATA_PAGE_V2: 3 } as const;

/** Header of a page. Sizes are in bytes. */
export interface PageHeader {
  type: number;
  unpackedSize: number;
  packedSize: number;
  values: number;
  encoding: number;
  levelEncoding: number;
  /** Sizes of the definition and repetition levels; 0 for pages of version 1. */
  levelBytes: number;
  repetitionBytes: number;
  isCompressed: boolean;
  /** Signed CRC-32 of the compressed bytes, if the file has checksums. */
  checksum: number | undefined;
}

/**
 * Type code of i32 in the compact protocol. Field 3 is an i32 in headers of data pages and a boolean in
 * headers of dictionary pages.
 */
const I32 = 5;

/**
 * Reads a page header.
 *
 * @throws {ParquetError} if the header is truncated or invalid
 */
export function readPageHeader(reader: CompactReader): PageHeader {
  const header: PageHeader = {
    type: -1,
    unpackedSize: -1,
    packedSize: -1,
    values: -1,
    encoding: -1,
    levelEncoding: -1,
    levelBytes: 0,
    repetitionBytes: 0,
    isCompressed: true,
    checksum: undefined,
  };
  reader.readStruct(id => {
    if (id === 1) header.type = reader.readInt();
    else if (id === 2) header.unpackedSize = reader.readInt();
    else if (id === 3) header.packedSize = reader.readInt();
    else if (id === 4) header.checksum = reader.readInt();
    else if (id === 5 || id === 7) readDataHeader(reader, header);
    else if (id === 8) readDataHeaderV2(reader, header);
    else return false;
    return true;
  });
  const needsValues = header.type !== PageType.INDEX_PAGE;
  if (
    header.type < 0 ||
    header.unpackedSize < 0 ||
    header.packedSize < 0 ||
    (needsValues && header.values < 0)
  ) {
    throw new ParquetError('page', `it is invalid: ${JSON.stringify(header)}`);
  }
  return header;
}

/** Reads the common fields of the headers of dictionary pages and data pages. */
function readDataHeader(reader: CompactReader, header: PageHeader): void {
  reader.readStruct((id, type) => {
    if (id === 1) header.values = reader.readInt();
    else if (id === 2) header.encoding = reader.readInt();
    else if (id === 3 && type === I32) header.levelEncoding = reader.readInt();
    else return false;
    return true;
  });
}

function readDataHeaderV2(reader: CompactReader, header: PageHeader): void {
  reader.readStruct((id, type) => {
    if (id === 1) header.values = reader.readInt();
    else if (id === 4) header.encoding = reader.readInt();
    else if (id === 5) header.levelBytes = reader.readInt();
    else if (id === 6) header.repetitionBytes = reader.readInt();
    else if (id === 7) header.isCompressed = type === 1;
    else return false;
    return true;
  });
  if (header.levelBytes < 0 || header.repetitionBytes < 0) throw new ParquetError('page', 'negative lengths');
}
