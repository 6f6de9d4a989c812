import { profileConfig } from '@org/run/profile';
import { expect, test } from 'vitest';
import { optionsOf } from './support.ts';

test.each([
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/v1/chat?api_key=hunter2&user=me', '/v1/chat?api_key=REDACTED&user=me'],
  ['v1/chat?api_key=hunter2', 'v1/chat?api_key=REDACTED'],
  ['models/a@2/chat', 'models/a@2/chat'],
  ['a@2/chat', 'a@2/chat'],
])('the path %s is kept as %s', (path, shown) => {
  const { endpoint } = profileConfig(optionsOf(['--model', 'm', '--endpoint', path]), 'b');
  expect(endpoint).toMatchObject({ custom_endpoint: shown });
});

test('secrets of every option stay out', () => {
  const args = [
    ...['--model', 'm', '--url', 'http://me:hunter2@a:1/?token=hunter2', '--api-key', 'hunter2'],
    ...['--endpoint', '/v1?key=hunter2&api_key=hunter2', '--header', 'X-Team: hunter2'],
    ...['--extra-inputs', '{"nested": {"api_token": "hunter2"}}'],
    ...['--server-metrics', 'http://me:hunter2@a:1/metrics?token=hunter2'],
  ];
  expect(JSON.stringify(profileConfig(optionsOf(args), 'b'))).not.toContain('hunter2');
});
