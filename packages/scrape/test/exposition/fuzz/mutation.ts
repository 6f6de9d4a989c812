import type { Random } from '@org/core';

/** Byte sequences that are significant to a parser, and some that are not. */
const TOKENS = [
  '\n',
  ' ',
  '"',
  '\\',
  '{',
  '}',
  ',',
  '=',
  '#',
  '# EOF\n',
  '# TYPE a counter\n',
  '# HELP ',
  ' # {a="b"} 1',
  '{}',
  '__proto__',
  'constructor',
  'le="+Inf"',
  'NaN',
  '+Inf',
  '-1',
  '1e999',
  '0'.repeat(30),
  'é',
  '\xff\xfe',
  '\xf0\x9f',
  '\0',
  '\r',
  '\t',
].map(token => Buffer.from(token, 'latin1'));

const MAX_EDITS = 6;
const MAX_PIECE_BYTES = 80;

type Edit = (before: Buffer, after: Buffer, random: Random) => Buffer[];

const EDITS: readonly Edit[] = [
  (before, after, random) => [before, pickToken(random), after],
  (before, after, random) => {
    const token = pickToken(random);
    return [before, token, after.subarray(token.length)];
  },
  (before, after, random) => [before, after.subarray(random.below(MAX_PIECE_BYTES))],
  (before, after, random) => [before, after.subarray(0, random.below(MAX_PIECE_BYTES)), after],
  (before, after, random) => [before, Buffer.from([random.below(256)]), after.subarray(1)],
  (before, after, random) => [after.subarray(0, random.below(after.length + 1)), before],
  before => [before],
];

/** Returns a body with a few parts inserted, overwritten, removed, repeated, moved or truncated. */
export function mutate(body: Buffer, random: Random): Buffer {
  let bytes = body;
  for (let edits = random.below(MAX_EDITS) + 1; edits > 0; edits--) {
    const offset = random.below(bytes.length + 1);
    const edit = EDITS[random.below(EDITS.length)]!;
    bytes = Buffer.concat(edit(bytes.subarray(0, offset), bytes.subarray(offset), random));
  }
  return bytes;
}

function pickToken(random: Random): Buffer {
  return TOKENS[random.below(TOKENS.length)]!;
}
