import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { repairByte } from '../../src/journal/byteRepair.ts';

const data = Uint8Array.from({ length: 300 }, (_, at) => (at * 7919) % 251);
const SEED = 2;

it('corrects one wrong byte at every position', () => {
  for (let at = 0; at < data.length; at++) {
    const damaged = data.slice();
    damaged[at]! ^= 1 + (at % 255);
    expect(repairByte(damaged, crc32(data, SEED), SEED), `byte ${at}`).toEqual(data);
  }
});

it('accepts the data if one byte of the checksum is wrong', () => {
  for (const shift of [0, 8, 16, 24])
    expect(repairByte(data, (crc32(data, SEED) ^ (0x5a << shift)) >>> 0, SEED)).toEqual(data);
});

it.each<[string, (damaged: Uint8Array) => void]>([
  ['two wrong bytes', damaged => damaged.fill(0xff, 100, 102)],
  ['a run of zeros', damaged => damaged.fill(0, 50, 80)],
  ['exchanged bytes', damaged => damaged.subarray(20, 40).reverse()],
])('does not correct %s', (_, damage) => {
  const damaged = data.slice();
  damage(damaged);
  expect(repairByte(damaged, crc32(data, SEED), SEED)).toBeUndefined();
});

it('does not change its input', () => {
  const damaged = data.slice();
  damaged[3] = 0;
  const copy = damaged.slice();
  repairByte(damaged, crc32(data, SEED), SEED);
  expect(damaged).toEqual(copy);
});
