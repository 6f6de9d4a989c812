import { expect, it } from 'vitest';
import { computeCrc32c } from '../../src/remoteRead/crc32c.ts';

it.each([
  // RFC 3720, appendix B.4
  [Buffer.from('123456789'), 0xe3069283],
  [Buffer.alloc(32), 0x8a9136aa],
  [Buffer.alloc(32, 0xff), 0x62a8ab43],
  [Buffer.from(Array.from({ length: 32 }, (_, at) => at)), 0x46dd794e],
  [Buffer.alloc(0), 0],
])('computes the checksum (%#)', (bytes, checksum) => {
  expect(computeCrc32c(bytes)).toBe(checksum);
});
