/** Reason why a Parquet file cannot be read. */
export type ParquetErrorCode =
  /** The file does not start and end with Parquet's magic bytes. */
  | 'magic'
  /** The footer is truncated, corrupt or inconsistent. */
  | 'footer'
  /** A page is truncated, corrupt, or does not match its header. */
  | 'page'
  /** The file uses a codec, an encoding or a feature that is not supported. */
  | 'unsupported'
  /** The file states more rows than its size allows, or exceeds a memory limit of the reader. */
  | 'limit';

/** Error for a file that cannot be read as a Parquet export. */
export class ParquetError extends Error {
  override readonly name = 'ParquetError';
  readonly code: ParquetErrorCode;

  constructor(code: ParquetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
