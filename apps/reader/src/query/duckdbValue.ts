import {
  arrayFromArrayValue,
  arrayFromListValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  type DuckDBValueConverter,
  JsonDuckDBValueConverter,
  objectArrayFromMapValue,
  objectFromStructValue,
  objectFromUnionValue,
} from '@duckdb/node-api';
import type { Value } from './value.ts';

/** Converts a value of DuckDB; dates and other types without a counterpart become text. */
export const toValue: DuckDBValueConverter<Value> = (
  value: DuckDBValue,
  type: DuckDBType,
  convert: DuckDBValueConverter<Value>,
): Value | null => {
  if (value === null) return null;
  switch (type.typeId) {
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      return value as bigint | number;
    case DuckDBTypeId.DECIMAL:
      return Number(String(value));
    case DuckDBTypeId.LIST:
      return arrayFromListValue(value, type, convert);
    case DuckDBTypeId.ARRAY:
      return arrayFromArrayValue(value, type, convert);
    case DuckDBTypeId.STRUCT:
      return objectFromStructValue(value, type, convert);
    case DuckDBTypeId.UNION:
      return objectFromUnionValue(value, type, convert);
    case DuckDBTypeId.MAP:
      return objectArrayFromMapValue(value, type, convert);
    default:
      return JsonDuckDBValueConverter(value, type, JsonDuckDBValueConverter);
  }
};
