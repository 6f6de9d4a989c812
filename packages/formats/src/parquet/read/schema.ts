import type { ColumnType } from '../columns.ts';
import { ParquetError } from '../error.ts';
import type { CompactReader } from './compact.ts';

/** Physical types by their number in parquet.thrift. */
const PHYSICAL_TYPES = [
  'BOOLEAN',
  'INT32',
  'INT64',
  'INT96',
  'FLOAT',
  'DOUBLE',
  'BYTE_ARRAY',
  'FIXED_LEN_BYTE_ARRAY',
] as const;

/** UTF8 and ENUM, STRING and ENUM: bytes that are text. */
const TEXT_TYPES: readonly string[] = [
  'ConvertedType 0',
  'ConvertedType 4',
  'LogicalType 1',
  'LogicalType 4',
];
/** INT_64: what a plain INT64 is anyway. */
const SIGNED_64: readonly string[] = ['ConvertedType 18', 'signed 64'];

/** A column as the file declares it. */
export interface ParquetColumn {
  readonly name: string;
  /** `other` is what an export has not: such columns are not read. */
  readonly type: ColumnType | 'other';
  /** The type in words, such as `INT32` or `BYTE_ARRAY`. */
  readonly declared: string;
  readonly nullable: boolean;
}

/** One node of the schema, as the file has it. */
export interface SchemaNode {
  readonly name: string;
  /** Number of the physical type; a group has none. */
  readonly physicalType: number | undefined;
  /** 0 required, 1 optional, 2 repeated. */
  readonly repetition: number;
  readonly children: number;
  /** Whether its bytes are UTF-8 text. */
  readonly isText: boolean;
  /** Whether its values mean something else than the physical type says, such as a timestamp. */
  readonly isAnnotated: boolean;
}

/** Reads one SchemaElement. */
export function readSchemaNode(reader: CompactReader): SchemaNode {
  let name: string | undefined;
  let physicalType: number | undefined;
  let repetition = 0;
  let children = 0;
  let converted: number | undefined;
  let logical: string | undefined;
  reader.struct(id => {
    if (id === 1) physicalType = reader.int();
    else if (id === 3) repetition = reader.int();
    else if (id === 4) name = reader.text();
    else if (id === 5) children = reader.int();
    else if (id === 6) converted = reader.int();
    else if (id === 10) logical = readLogicalType(reader);
    else return false;
    return true;
  });
  if (name === undefined) throw new ParquetError('footer', 'a column of the schema has no name');
  const meaning = logical ?? (converted === undefined ? undefined : `ConvertedType ${converted}`);
  const isText = meaning !== undefined && TEXT_TYPES.includes(meaning);
  const isAnnotated = !isText && meaning !== undefined && !SIGNED_64.includes(meaning);
  return { name, physicalType, repetition, children, isText, isAnnotated };
}

/** The name of a logical type as far as it matters here: text, and what integers of 64 bits are. */
function readLogicalType(reader: CompactReader): string {
  let name = 'none';
  reader.struct(kind => {
    name = `LogicalType ${kind}`;
    const INTEGER = 10;
    if (kind !== INTEGER) return false;
    let bits = 0;
    let isSigned = false;
    reader.struct((id, type) => {
      if (id === 2) isSigned = type === 1;
      if (id !== 1) return false;
      bits = reader.int8();
      return true;
    });
    name = `${isSigned ? 'signed' : 'unsigned'} ${bits}`;
    return true;
  });
  return name;
}

/** What a leaf of the schema is to readers. */
export function columnOf(leaf: SchemaNode, isFlat: boolean): ParquetColumn {
  const declared = PHYSICAL_TYPES[leaf.physicalType ?? -1] ?? 'no type';
  return { name: leaf.name, type: typeOf(leaf, isFlat), declared, nullable: leaf.repetition !== 0 };
}

function typeOf(leaf: SchemaNode, isFlat: boolean): ColumnType | 'other' {
  if (!isFlat || leaf.isAnnotated) return 'other';
  const declared = PHYSICAL_TYPES[leaf.physicalType ?? -1];
  if (declared === 'INT64') return 'int64';
  if (declared === 'DOUBLE') return 'double';
  return declared === 'BYTE_ARRAY' && leaf.isText ? 'string' : 'other';
}
