import type { ColumnType } from '../columns.ts';
import { ParquetError } from '../error.ts';
import type { CompactReader } from './compact.ts';

/** Physical types, by their number in parquet.thrift. */
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

/** Annotations of text: the converted types UTF8 and ENUM, the logical types STRING and ENUM. */
const TEXT_TYPES: readonly string[] = [
  'ConvertedType 0',
  'ConvertedType 4',
  'LogicalType 1',
  'LogicalType 4',
];
/** Annotations of a signed 64-bit integer, which do not change the meaning of INT64. */
const SIGNED_64: readonly string[] = ['ConvertedType 18', 'signed 64'];

/** A column of a file. */
export interface ParquetColumn {
  readonly name: string;
  /** `other` marks types that exports do not have; such columns are not read. */
  readonly type: ColumnType | 'other';
  /** The declared physical type, such as `INT32` or `BYTE_ARRAY`. */
  readonly declared: string;
  readonly nullable: boolean;
}

/** A node of the schema. */
export interface SchemaNode {
  readonly name: string;
  /** Number of the physical type; undefined for a group. */
  readonly physicalType: number | undefined;
  /** Repetition type: 0 required, 1 optional, 2 repeated. */
  readonly repetition: number;
  /** Number of child nodes; 0 for a leaf. */
  readonly children: number;
  /** True if the values are UTF-8 text. */
  readonly isText: boolean;
  /** True if an annotation changes the meaning of the physical type, such as a timestamp. */
  readonly isAnnotated: boolean;
}

/** Reads a SchemaElement. */
export function readSchemaNode(reader: CompactReader): SchemaNode {
  let name: string | undefined;
  let physicalType: number | undefined;
  let repetition = 0;
  let children = 0;
  let converted: number | undefined;
  let logical: string | undefined;
  reader.readStruct(id => {
    if (id === 1) physicalType = reader.readInt();
    else if (id === 3) repetition = reader.readInt();
    else if (id === 4) name = reader.readText();
    else if (id === 5) children = reader.readInt();
    else if (id === 6) converted = reader.readInt();
    else if (id === 10) logical = readLogicalType(reader);
    else return false;
    return true;
  });
  if (name === undefined) throw new ParquetError('footer', 'a column of the schema has no name');
  const annotation = logical ?? (converted === undefined ? undefined : `ConvertedType ${converted}`);
  const isText = annotation !== undefined && TEXT_TYPES.includes(annotation);
  const isAnnotated = !isText && annotation !== undefined && !SIGNED_64.includes(annotation);
  return { name, physicalType, repetition, children, isText, isAnnotated };
}

/** Reads a logical type. Returns text such as `LogicalType 1` or, for an integer type, `signed 64`. */
function readLogicalType(reader: CompactReader): string {
  let name = 'none';
  reader.readStruct(kind => {
    name = `LogicalType ${kind}`;
    const INTEGER = 10;
    if (kind !== INTEGER) return false;
    let bits = 0;
    let isSigned = false;
    reader.readStruct((id, type) => {
      if (id === 2) isSigned = type === 1;
      if (id !== 1) return false;
      bits = reader.readInt8();
      return true;
    });
    name = `${isSigned ? 'signed' : 'unsigned'} ${bits}`;
    return true;
  });
  return name;
}

/** Converts a leaf of the schema to a column. */
export function toColumn(leaf: SchemaNode, isFlat: boolean): ParquetColumn {
  const declared = PHYSICAL_TYPES[leaf.physicalType ?? -1] ?? 'no type';
  return { name: leaf.name, type: detectType(leaf, isFlat), declared, nullable: leaf.repetition !== 0 };
}

function detectType(leaf: SchemaNode, isFlat: boolean): ColumnType | 'other' {
  if (!isFlat || leaf.isAnnotated) return 'other';
  const declared = PHYSICAL_TYPES[leaf.physicalType ?? -1];
  if (declared === 'INT64') return 'int64';
  if (declared === 'DOUBLE') return 'double';
  return declared === 'BYTE_ARRAY' && leaf.isText ? 'string' : 'other';
}
