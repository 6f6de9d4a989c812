/** The reversed Castagnoli polynomial. */
const POLYNOMIAL = 0x82f63b78;
/** Number of tables: the number of bytes that are processed at once. */
const TABLES = 8;

const tables = createTables();

function createTables(): readonly Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    return value;
  });
  const all = [first];
  for (let n = 1; n < TABLES; n++) all.push(all[n - 1]!.map(value => (value >>> 8) ^ first[value & 0xff]!));
  return all;
}

const [T0, T1, T2, T3, T4, T5, T6, T7] = tables as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

/** Computes the CRC-32C checksum (Castagnoli), which streamed responses of remote read contain. */
export function computeCrc32c(bytes: Uint8Array): number {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      T7[crc & 0xff]! ^
      T6[(crc >>> 8) & 0xff]! ^
      T5[(crc >>> 16) & 0xff]! ^
      T4[crc >>> 24]! ^
      T3[bytes[at + 4]!]! ^
      T2[bytes[at + 5]!]! ^
      T1[bytes[at + 6]!]! ^
      T0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ T0[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}
