// Simulates the values of a busy server as a pure function of a seed and the number of the scrape.
const family = { name: 'request_seconds', type: 'histogram', help: 'Request duration' };
const PARTS = 10;

/** Adds the series that the server exposes at a scrape: a few at first, more over time. */
export function growLayout(layout, scrape) {
  const count = 4 + Math.min(4, Math.floor(scrape / 40));
  for (let n = Math.floor(layout.slotCount / PARTS); n < count; n++) {
    const series = layout.histogram(family, [
      ['handler', `/v1/${n}`],
      ['server', 'é'],
    ]);
    for (let part = 2; part < PARTS; part++) layout.bucket(series, part / 8, String(part / 8));
  }
}

/** Returns the frame of a scrape: sums with many digits, growing counts, and some absent values. */
export function makeFrame(layout, seed, scrape) {
  const values = Float64Array.from({ length: layout.slotCount }, (_, slot) => {
    const chance = hash(seed, scrape, slot);
    if (chance < 0.01) return Number.NaN;
    const part = slot % PARTS;
    if (part === 0) return scrape * 0.37 + chance;
    return Math.floor((scrape * (part + (seed % 5))) / 7);
  });
  return {
    timestampNs: 1_767_225_600_000_000_000n + BigInt(scrape) * 333_000_000n + BigInt(seed),
    latencyNs: 2_000_000 + Math.floor(1e6 * hash(seed, scrape, -1)),
    changed: scrape % 3 !== 0,
    values: scrape % 5 === 4 ? values.subarray(0, values.length - 3) : values,
  };
}

/** Returns a pseudorandom number from 0 (inclusive) to 1 (exclusive). */
function hash(seed, scrape, slot) {
  let mixed =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(scrape + 1, 0xc2b2ae35) ^
    Math.imul(slot + 2, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
