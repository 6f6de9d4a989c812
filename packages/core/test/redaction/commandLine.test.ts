import { describe, expect, test } from 'vitest';
import { redactArguments, redactCommand } from '../../src/redaction/commandLine.ts';

const REDACTED = '<redacted>';

describe('redacts', () => {
  test.each<[string[], string[]]>([
    [
      ['bench', '--api-key', 'sk-1', '--model', 'm'],
      ['bench', '--api-key', REDACTED, '--model', 'm'],
    ],
    [
      ['--api-key=sk-1', '--hf_token=hf'],
      [`--api-key=${REDACTED}`, `--hf_token=${REDACTED}`],
    ],
    [
      ['--openai-api-key', 'X1', 'run'],
      ['--openai-api-key', REDACTED, 'run'],
    ],
    [
      ['--secret-key', 'X1', '--auth', 'X2'],
      ['--secret-key', REDACTED, '--auth', REDACTED],
    ],
    [
      ['-H', 'Authorization: Bearer abc', '--header', 'X-Trace: 7'],
      ['-H', `Authorization: ${REDACTED}`, '--header', 'X-Trace: 7'],
    ],
    [['--header=x-api-key: k'], [`--header=x-api-key: ${REDACTED}`]],
    [['-HAuthorization:X1'], [`-HAuthorization:${REDACTED}`]],
    [
      ['--extra-headers', 'Cookie: a=b; c=d'],
      ['--extra-headers', `Cookie: ${REDACTED}`],
    ],
    [['Cookie: a=b; c=d'], [`Cookie: ${REDACTED}`]],
    [
      ['bench', '-u', 'me:PW'],
      ['bench', '-u', `me:${REDACTED}`],
    ],
    [
      ['curl', '-u', 'me:1234'],
      ['curl', '-u', `me:${REDACTED}`],
    ],
    [
      ['curl', '-ume:PW', '--user=me:PW'],
      ['curl', `-ume:${REDACTED}`, `--user=me:${REDACTED}`],
    ],
    [
      ['--url', 'http://u:p@h:1/v1', 'see https://a:b@c'],
      ['--url', 'http://h:1/v1', 'see https://c'],
    ],
    [['http://h/metrics?api_key=X1&x=1'], [`http://h/metrics?api_key=${REDACTED}&x=1`]],
    [
      ['env', 'OPENAI_API_KEY=sk-1', 'bench'],
      ['env', `OPENAI_API_KEY=${REDACTED}`, 'bench'],
    ],
    [
      ['env', 'AWS_SECRET_ACCESS_KEY=a/b+c', 'DB_PASSWORD=p'],
      ['env', `AWS_SECRET_ACCESS_KEY=${REDACTED}`, `DB_PASSWORD=${REDACTED}`],
    ],
    [['HF_TOKEN=A B'], [`HF_TOKEN=${REDACTED}`]],
    [['HF_TOKEN="A B"'], [`HF_TOKEN=${REDACTED}`]],
    [
      ['--extra', '{"api_key": "X1", "n": 1}'],
      ['--extra', `{"api_key": "${REDACTED}", "n": 1}`],
    ],
    [['{\\"password\\": \\"X1\\"}'], [`{\\"password\\": \\"${REDACTED}\\"}`]],
    [['{"Authorization": "Bearer X1"}'], [`{"Authorization": "${REDACTED}"}`]],
    [['{"password": 1234}'], [`{"password": "${REDACTED}"}`]],
    [
      ['login', 'sk-proj-Ab12cd34', 'hf_AbCdEfGh12'],
      ['login', REDACTED, REDACTED],
    ],
  ])('%j', (args, redacted) => {
    expect(redactCommand(args)).toEqual(redacted);
  });
});

describe('redacts within a script', () => {
  test.each([
    [
      'curl -H "Authorization: Bearer abc.def" h?api_key=12&x=1',
      `curl -H "Authorization: Bearer ${REDACTED}" h?api_key=${REDACTED}&x=1`,
    ],
    ['curl -H Authorization:X1 http://h/v1', `curl -H Authorization:${REDACTED} http://h/v1`],
    ["curl -H 'Cookie: a=b; c=d' h:1", `curl -H 'Cookie: ${REDACTED}' h:1`],
    ['AWS_SECRET_ACCESS_KEY=a/b+c bench --n 5', `AWS_SECRET_ACCESS_KEY=${REDACTED} bench --n 5`],
    ['HF_TOKEN="A B" bench', `HF_TOKEN="${REDACTED}" bench`],
    ["export HF_TOKEN='A B'; bench", `export HF_TOKEN='${REDACTED}'; bench`],
    ['bench --openai-api-key X1 --n 5', `bench --openai-api-key ${REDACTED} --n 5`],
    ['bench --api-key "X 1" --n 5', `bench --api-key "${REDACTED}" --n 5`],
    ['curl -u me:PW http://h', `curl -u me:${REDACTED} http://h`],
    ['curl -d \'{"api_key": "X1"}\' h', `curl -d '{"api_key": "${REDACTED}"}' h`],
    ['echo sk-Ab12cd34 | login', `echo ${REDACTED} | login`],
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
  expect(redactArguments(argv)).toEqual(['collect', '-u', 'me:abc', '--', 'bench', '-u', `me:${REDACTED}`]);
  expect(redactArguments(['collect', '--url', 'http://h?key=S'])).toEqual([
    'collect',
    '--url',
    `http://h?key=${REDACTED}`,
  ]);
});

test.each([
  [
    ['-H', 'X-A: hunter2'],
    ['-H', `X-A: ${REDACTED}`],
  ],
  [['--header=X-A: hunter2'], [`--header=X-A: ${REDACTED}`]],
  [['-H=X-A: hunter2'], [`-H=X-A: ${REDACTED}`]],
])('redacts every header of a list that starts with %j', (start, redacted) => {
  const others = ['--url', 'a:1', 'b:2'];
  expect(redactArguments(['profile', ...start, 'X-B: hunter2', 'hunter3', ...others])).toEqual([
    'profile',
    ...redacted,
    `X-B: ${REDACTED}`,
    REDACTED,
    ...others,
  ]);
});

test.each([
  [
    ['--header', 'X-Tenant: hunter2'],
    ['--header', `X-Tenant: ${REDACTED}`],
  ],
  [['--header=X-Tenant: hunter2'], [`--header=X-Tenant: ${REDACTED}`]],
  [
    ['--server_metrics_header', 'X-Tenant: hunter2', '--push_header=X-Tenant: hunter2'],
    ['--server_metrics_header', `X-Tenant: ${REDACTED}`, `--push_header=X-Tenant: ${REDACTED}`],
  ],
  [
    ['--push-header', 'X-Tenant: hunter2', '--push-header', 'otlp=X-Tenant: hunter2'],
    ['--push-header', `X-Tenant: ${REDACTED}`, '--push-header', REDACTED],
  ],
  [
    ['--push', 'remote-write=http://me:hunter2@h/w?token=hunter2', '--otel-url=http://me:hunter2@h'],
    ['--push', 'remote-write=http://h/w?token=<redacted>', '--otel-url=http://h'],
  ],
  [
    ['--push=otlp=http://me:hunter2@h', '--push-header-file', 'secrets.txt'],
    ['--push=otlp=http://h', '--push-header-file', 'secrets.txt'],
  ],
  [
    ['-H', 'X-Tenant:hunter2'],
    ['-H', `X-Tenant: ${REDACTED}`],
  ],
  [['-HX-Tenant: hunter2'], [`-HX-Tenant: ${REDACTED}`]],
  [
    ['-qH', 'X-Tenant: hunter2'],
    ['-qH', `X-Tenant: ${REDACTED}`],
  ],
  [
    ['--header', 'hunter2'],
    ['--header', REDACTED],
  ],
  [
    ['--bearer-token-file', 'f', '--key-file', 'k'],
    ['--bearer-token-file', 'f', '--key-file', 'k'],
  ],
])('redacts the value of every header that servelens sends: %j', (options, redacted) => {
  expect(redactArguments(['collect', ...options])).toEqual(['collect', ...redacted]);
});

test.each([
  'x',
  'a.',
  'sk-',
  '-a ',
  '"a":"',
  'a:',
  '://',
  'a://',
  'eyJ',
  'a@',
  '?a=',
  '%41',
  ' ',
  '"',
  'cookie ',
])('redacts a long text of %j without a long pause', seed => {
  const text = seed.repeat(100_000 / seed.length);
  const start = process.cpuUsage();
  redactArguments(['profile', '--url', text]);
  redactCommand(['sh', '-c', text]);
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
});
