import type { Column } from '../columns.ts';
import { int64, parquet, serialize } from './thrift.ts';

/** The first and last four bytes of every Parquet file. */
export const MAGIC = 'PAR1';

/** Contents of the footer. */
export interface Footer {
  readonly columns: readonly Column[];
  readonly rowGroups: parquet.RowGroup[];
  readonly rows: number;
  readonly metadata: readonly (readonly [key: string, value: string])[];
  readonly createdBy: string;
}

/** Encodes the end of a file: FileMetaData, its length in four bytes, and the magic bytes. */
export function encodeFooter(footer: Footer): Buffer {
  const metadata = serialize(
    new parquet.FileMetaData({
      version: 1,
      schema: listSchemaElements(footer.columns),
      num_rows: int64(footer.rows),
      row_groups: footer.rowGroups,
      key_value_metadata: footer.metadata.map(([key, value]) => new parquet.KeyValue({ key, value })),
      created_by: footer.createdBy,
      // Without column orders, readers must ignore min_value and max_value.
      column_orders: footer.columns.map(
        () => new parquet.ColumnOrder({ TYPE_ORDER: new parquet.TypeDefinedOrder() }),
      ),
    }),
  );
  const end = Buffer.alloc(8);
  end.writeUInt32LE(metadata.length, 0);
  end.write(MAGIC, 4, 'latin1');
  return Buffer.concat([metadata, end]);
}

function listSchemaElements(columns: readonly Column[]): parquet.SchemaElement[] {
  return [
    new parquet.SchemaElement({ name: 'schema', num_children: columns.length }),
    ...columns.map(toSchemaElement),
  ];
}

function toSchemaElement({ name, type, nullable }: Column): parquet.SchemaElement {
  const repetition_type = nullable
    ? parquet.FieldRepetitionType.OPTIONAL
    : parquet.FieldRepetitionType.REQUIRED;
  if (type === 'int64') return new parquet.SchemaElement({ name, repetition_type, type: parquet.Type.INT64 });
  if (type === 'double')
    return new parquet.SchemaElement({ name, repetition_type, type: parquet.Type.DOUBLE });
  return new parquet.SchemaElement({
    name,
    repetition_type,
    type: parquet.Type.BYTE_ARRAY,
    converted_type: parquet.ConvertedType.UTF8,
    logicalType: new parquet.LogicalType({ STRING: new parquet.StringType() }),
  });
}
