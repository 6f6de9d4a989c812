import { expect, test } from 'vitest';
import { formatOptionTerm, renderHelp } from '../src/help.ts';

test.each([
  [{ name: 'quiet', aliases: ['q'] }, '-q, --quiet'],
  [{ name: 'timeout', placeholder: 'SECONDS' }, '    --timeout SECONDS'],
  [{ name: 'model', aliases: ['m', 'model-name'], placeholder: 'NAME' }, '-m, --model, --model-name NAME'],
])('formats the term of option %j', (option, term) => {
  expect(formatOptionTerm(option)).toBe(term);
});

test('renders usage, sections, examples and notes', () => {
  const page = renderHelp(
    {
      usage: 'tool run [options]',
      description: 'Run the tool.',
      sections: [
        {
          title: 'Load',
          entries: [
            { term: '--rate N', description: 'Requests per second' },
            {
              term: '--a-very-long-option-name-of-a-tool VALUE',
              description: 'Description in the next line',
            },
          ],
        },
      ],
      examples: [
        { command: 'tool run --rate 1 --a-very-long-option-name-of-a-tool x', description: 'Send requests' },
      ],
      notes: ['Exit codes: 0 success'],
    },
    60,
  );
  expect(page).toBe(`Usage: tool run [options]

Run the tool.

Load:
  --rate N                      Requests per second
  --a-very-long-option-name-of-a-tool VALUE
                                Description in the next line

Examples:
  tool run --rate 1 --a-very-long-option-name-of-a-tool x
      Send requests

Exit codes: 0 success`);
});

test('wraps descriptions at the width', () => {
  const page = renderHelp(
    {
      usage: 'tool',
      description: '',
      sections: [{ title: 'Options', entries: [{ term: '--x', description: 'one two three four' }] }],
    },
    18,
  );
  expect(page).toContain('  --x  one two\n       three four');
});
