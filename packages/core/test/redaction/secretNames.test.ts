import { expect, test } from 'vitest';
import { isSecretName } from '../../src/redaction/secretNames.ts';

test.each([
  'api_key',
  'apikey',
  'apiKey',
  'X-Api-Key',
  'key',
  '--openai-api-key',
  '--api-keys',
  '--secret-key',
  '--auth',
  '--hf_token',
  'token',
  'access_token',
  'clientSecret',
  'AWS_SECRET_ACCESS_KEY',
  'SECRET_VALUE',
  'PGPASSWORD',
  'MYSQL_PWD',
  'DB_PASSWORD',
  'sig',
  'X-Amz-Signature',
  'Authorization',
  'Cookie',
])('%s is a secret', name => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  'name[]',
  'format',
  '--tokenizer',
  '--max-tokens',
  '--max_token',
  '--eos-token',
  '--time-per-output-token',
  '--key-metrics',
  '--key-file',
  '--password-file',
  '--token-path',
  '--secrets-dir',
  '--secretary',
  '--sort-key',
  '--no-auth',
  '--auth-type',
  'monkey',
  'tokens',
  'keyboard',
  'design',
])('%s is not a secret', name => {
  expect(isSecretName(name)).toBe(false);
});
