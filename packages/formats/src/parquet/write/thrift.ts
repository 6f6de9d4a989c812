import parquetUtil from '@dsnp/parquetjs/dist/lib/util.js';

/**
 * The structures of parquet.thrift as `@dsnp/parquetjs` generates them. They are imported by file, because the
 * package's main entry loads an S3 client along with them.
 */
export { default as parquet } from '@dsnp/parquetjs/dist/gen-nodejs/parquet_types.js';

/** A 64-bit integer in a structure. */
export type Int64 = ReturnType<typeof parquetUtil.cloneInteger>;

/** The 64-bit integer of the structures; `value` up to 2^53. */
export function int64(value: number): Int64 {
  // The parameter's type asks for an Int64, the function for its valueOf() only.
  return parquetUtil.cloneInteger({ valueOf: () => value } as Int64);
}

/** Serialises a structure with Thrift's compact protocol. */
export function serialize(structure: Parameters<typeof parquetUtil.serializeThrift>[0]): Buffer {
  return parquetUtil.serializeThrift(structure);
}
