import { expect, test } from 'vitest';
import { redactedCommand } from '../src/redaction.ts';

test.each<[string, string[], string[]]>([
  [
    'an option with a value',
    ['bench', '--api-key', 'sk-1', '--model', 'm'],
    ['bench', '--api-key', '<redacted>', '--model', 'm'],
  ],
  [
    'an option with =',
    ['--api-key=sk-1', '--hf_token=hf'],
    ['--api-key=<redacted>', '--hf_token=<redacted>'],
  ],
  ['an option that is a flag', ['--password', '--url', 'x'], ['--password', '--url', 'x']],
  [
    'a header',
    ['-H', 'Authorization: Bearer abc', '--header', 'X-Trace: 7'],
    ['-H', 'Authorization: <redacted>', '--header', 'X-Trace: 7'],
  ],
  ['a header with =', ['--header=x-api-key: k'], ['--header=x-api-key: <redacted>']],
  [
    'credentials in a URL',
    ['--url', 'http://u:p@h:1/v1', 'see https://a:b@c'],
    ['--url', 'http://h:1/v1', 'see https://c'],
  ],
  [
    'inside of a script',
    ['sh', '-c', 'curl -H "Authorization: Bearer abc.def" h?api_key=12&x=1'],
    ['sh', '-c', 'curl -H "Authorization: Bearer <redacted>" h?api_key=<redacted>&x=1'],
  ],
  ['an assignment', ['env', 'OPENAI_API_KEY=sk-1', 'bench'], ['env', 'OPENAI_API_KEY=<redacted>', 'bench']],
  [
    'words that only look like it',
    ['--tokenizer', 'gpt', '--max-tokens', '5', '--secretary', 'x'],
    ['--tokenizer', 'gpt', '--max-tokens', '5', '--secretary', 'x'],
  ],
])('%s', (_, words, shown) => {
  expect(redactedCommand(words)).toEqual(shown);
});
