import { describe, expect, test } from 'vitest';
import { redactArguments, redactCommand } from '../../src/redaction/commandLine.ts';

const X = '<redacted>';

describe('redacts', () => {
  test.each<[string[], string[]]>([
    [
      ['bench', '--api-key', 'sk-1', '--model', 'm'],
      ['bench', '--api-key', X, '--model', 'm'],
    ],
    [
      ['--api-key=sk-1', '--hf_token=hf'],
      [`--api-key=${X}`, `--hf_token=${X}`],
    ],
    [
      ['--openai-api-key', 'X1', 'run'],
      ['--openai-api-key', X, 'run'],
    ],
    [
      ['--secret-key', 'X1', '--auth', 'X2'],
      ['--secret-key', X, '--auth', X],
    ],
    [
      ['-H', 'Authorization: Bearer abc', '--header', 'X-Trace: 7'],
      ['-H', `Authorization: ${X}`, '--header', 'X-Trace: 7'],
    ],
    [['--header=x-api-key: k'], [`--header=x-api-key: ${X}`]],
    [['-HAuthorization:X1'], [`-HAuthorization:${X}`]],
    [
      ['--extra-headers', 'Cookie: a=b; c=d'],
      ['--extra-headers', `Cookie: ${X}`],
    ],
    [['Cookie: a=b; c=d'], [`Cookie: ${X}`]],
    [
      ['bench', '-u', 'me:PW'],
      ['bench', '-u', `me:${X}`],
    ],
    [
      ['curl', '-u', 'me:1234'],
      ['curl', '-u', `me:${X}`],
    ],
    [
      ['curl', '-ume:PW', '--user=me:PW'],
      ['curl', `-ume:${X}`, `--user=me:${X}`],
    ],
    [
      ['--url', 'http://u:p@h:1/v1', 'see https://a:b@c'],
      ['--url', 'http://h:1/v1', 'see https://c'],
    ],
    [['http://h/metrics?api_key=X1&x=1'], [`http://h/metrics?api_key=${X}&x=1`]],
    [
      ['env', 'OPENAI_API_KEY=sk-1', 'bench'],
      ['env', `OPENAI_API_KEY=${X}`, 'bench'],
    ],
    [
      ['env', 'AWS_SECRET_ACCESS_KEY=a/b+c', 'DB_PASSWORD=p'],
      ['env', `AWS_SECRET_ACCESS_KEY=${X}`, `DB_PASSWORD=${X}`],
    ],
    [['HF_TOKEN=A B'], [`HF_TOKEN=${X}`]],
    [['HF_TOKEN="A B"'], [`HF_TOKEN=${X}`]],
    [
      ['--extra', '{"api_key": "X1", "n": 1}'],
      ['--extra', `{"api_key": "${X}", "n": 1}`],
    ],
    [['{\\"password\\": \\"X1\\"}'], [`{\\"password\\": \\"${X}\\"}`]],
    [['{"Authorization": "Bearer X1"}'], [`{"Authorization": "${X}"}`]],
    [['{"password": 1234}'], [`{"password": "${X}"}`]],
    [
      ['login', 'sk-proj-Ab12cd34', 'hf_AbCdEfGh12'],
      ['login', X, X],
    ],
  ])('%j', (args, redacted) => {
    expect(redactCommand(args)).toEqual(redacted);
  });
});

describe('redacts within a script', () => {
  test.each([
    [
      'curl -H "Authorization: Bearer abc.def" h?api_key=12&x=1',
      `curl -H "Authorization: Bearer ${X}" h?api_key=${X}&x=1`,
    ],
    ['curl -H Authorization:X1 http://h/v1', `curl -H Authorization:${X} http://h/v1`],
    ["curl -H 'Cookie: a=b; c=d' h:1", `curl -H 'Cookie: ${X}' h:1`],
    ['AWS_SECRET_ACCESS_KEY=a/b+c bench --n 5', `AWS_SECRET_ACCESS_KEY=${X} bench --n 5`],
    ['HF_TOKEN="A B" bench', `HF_TOKEN="${X}" bench`],
    ["export HF_TOKEN='A B'; bench", `export HF_TOKEN='${X}'; bench`],
    ['bench --openai-api-key X1 --n 5', `bench --openai-api-key ${X} --n 5`],
    ['bench --api-key "X 1" --n 5', `bench --api-key "${X}" --n 5`],
    ['curl -u me:PW http://h', `curl -u me:${X} http://h`],
    ['curl -d \'{"api_key": "X1"}\' h', `curl -d '{"api_key": "${X}"}' h`],
    ['echo sk-Ab12cd34 | login', `echo ${X} | login`],
  ])('%s', (script, redacted) => {
    expect(redactCommand(['sh', '-c', script])).toEqual(['sh', '-c', redacted]);
  });
});

describe('does not redact', () => {
  test.each<string[][]>([
    [['--tokenizer', 'gpt', '--max-tokens', '5', '--secretary', 'x']],
    [['--max-tokens=5', '--tokenizer=gpt', '--key-metrics', 'ttft']],
    [['--password', '--url', 'x']],
    [['--api-key-file', '/run/key', '--token-path=/x', '--secrets-dir', 'd']],
    [['aiperf', 'profile', '-u', 'localhost:8000', '--model', 'm']],
    [['bench', '-u', 'http://h:8000/v1', '-u', 'h:8000/v1']],
    [['python', '-u', 'bench.py', '--eos-token', '</s>']],
    [['--model', 'meta-llama/Llama-3.1-8B', '--dataset', 'hf_transfer', 'sk-learn']],
    [['{"max_tokens": 5, "eos_token": "</s>", "model": "m"}']],
    [['sh', '-c', 'bench --max-tokens 5 --tokenizer gpt > out.txt && mail me@h']],
    [['--header', 'Content-Type: application/json', '-H', 'X-Trace: 7']],
    [['sleep', '1'], []],
    [['-k', 'https://h:1/v1?format=text']],
  ])('%j', args => {
    expect(redactCommand(args)).toEqual(args);
  });
});

test('-u means --url before --, and is checked for user:password after --', () => {
  const argv = ['collect', '-u', 'me:abc', '--', 'bench', '-u', 'me:abc'];
  expect(redactArguments(argv)).toEqual(['collect', '-u', 'me:abc', '--', 'bench', '-u', `me:${X}`]);
  expect(redactArguments(['collect', '--url', 'http://h?key=S'])).toEqual([
    'collect',
    '--url',
    `http://h?key=${X}`,
  ]);
});

test.each([
  [
    ['--header', 'X-Tenant: hunter2'],
    ['--header', `X-Tenant: ${X}`],
  ],
  [['--header=X-Tenant: hunter2'], [`--header=X-Tenant: ${X}`]],
  [
    ['-H', 'X-Tenant:hunter2'],
    ['-H', `X-Tenant: ${X}`],
  ],
  [['-HX-Tenant: hunter2'], [`-HX-Tenant: ${X}`]],
  [
    ['-qH', 'X-Tenant: hunter2'],
    ['-qH', `X-Tenant: ${X}`],
  ],
  [
    ['--header', 'hunter2'],
    ['--header', X],
  ],
  [
    ['--bearer-token-file', 'f', '--key-file', 'k'],
    ['--bearer-token-file', 'f', '--key-file', 'k'],
  ],
])('redacts the value of every header that servelens sends: %j', (options, redacted) => {
  expect(redactArguments(['collect', ...options])).toEqual(['collect', ...redacted]);
});
