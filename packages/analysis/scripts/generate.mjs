// Generates the parser of `check` rules from its grammar. test/generated.test.ts fails if the result is
// outdated.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import peggy from 'peggy';
import { writeGenerated } from '../../../scripts/writeGenerated.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The folder of the generated files. */
export const generatedFolder = join(root, 'src/generated');

const declaration = `import type { Expression } from '../check/expression.ts';

/** An error of the parser: its position, and what was expected there. */
export class SyntaxError extends Error {
  readonly location: { readonly start: { readonly offset: number }; readonly end: { readonly offset: number } };
  readonly expected: readonly { readonly type: string; readonly description?: string; readonly text?: string }[] | null;
  readonly found: string | null;
}

export function parse(text: string): Expression;
`;

/** Returns the content of all generated files, by path below src/generated. */
export function generate() {
  const grammar = readFileSync(join(root, 'src/check/expression.peggy'), 'utf8');
  const source = peggy.generate(grammar, {
    output: 'source',
    format: 'es',
    grammarSource: 'expression.peggy',
  });
  return new Map([
    ['expression.js', source],
    ['expression.d.ts', declaration],
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeGenerated(generatedFolder, generate());
