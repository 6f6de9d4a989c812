import fc from 'fast-check';

/** Bytes that mean something to a reader. */
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
  '# TYPE a gauge\n',
  '__proto__',
  'NaN',
  '1',
  'é',
  '\xff\xfe',
  '\0',
  '\r',
];

/** One change to a body, by shares of its length so that it fits bodies of any length. */
export interface Edit {
  kind: 'insert' | 'overwrite' | 'remove' | 'repeat' | 'cut';
  at: number;
  length: number;
  token: string;
}

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Edit['kind'][]>(
      'insert',
      'insert',
      'overwrite',
      'overwrite',
      'remove',
      'repeat',
      'cut',
    ),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 1, max: 40 }),
    token: fc.constantFrom(...TOKENS),
  }),
  { minLength: 1, maxLength: 6 },
);

const CHANGES: Readonly<Record<Edit['kind'], (before: Buffer, after: Buffer, edit: Edit) => Buffer[]>> = {
  insert: (before, after, { token }) => [before, bytesOf(token), after],
  overwrite: (before, after, { token }) => [before, bytesOf(token), after.subarray(token.length)],
  remove: (before, after, { length }) => [before, after.subarray(length)],
  repeat: (before, after, { length }) => [before, after.subarray(0, length), after],
  cut: before => [before],
};

export function edited(body: Buffer, changes: readonly Edit[]): Buffer {
  return changes.reduce((bytes, edit) => {
    const at = Math.floor(edit.at * bytes.length);
    return Buffer.concat(CHANGES[edit.kind](bytes.subarray(0, at), bytes.subarray(at), edit));
  }, body);
}

function bytesOf(token: string): Buffer {
  return Buffer.from(token, 'latin1');
}
