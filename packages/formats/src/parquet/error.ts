/** Why a Parquet file cannot be read. */
export type ParquetErrorCode =
  /** It does not begin and end like a Parquet file. */
  | 'magic'
  /** Its footer is cut off, broken, or contradicts itself. */
  | 'footer'
  /** A page is cut off, broken, or not what its header says. */
  | 'page'
  /** It uses a codec, an encoding or a feature that this reader does not know. */
  | 'unsupported'
  /** It claims more than a file of its size can hold, or more than the reader may use at once. */
  | 'limit';

/** A file that is no readable Parquet export. */
export class ParquetError extends Error {
  override readonly name = 'ParquetError';
  readonly code: ParquetErrorCode;

  constructor(code: ParquetErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
