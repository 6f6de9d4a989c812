/** ns since 1970 of an ISO 8601 time, to its last digit; without a zone it is UTC. Undefined for what is none. */
export function timeNs(text: string): bigint | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text);
  if (!match) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = match;
  const ms = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
