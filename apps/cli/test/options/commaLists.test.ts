import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';

test.each([
  ['url', 'http://a:1,b:2'],
  ['server-metrics', 'http://a:1/metrics,b:2'],
  ['server-metrics-formats', 'json,csv'],
  ['gpu-telemetry', 'a:9400,b:9400'],
  ['audio-depths', '16,24'],
  ['audio-sample-rates', '8,44.1'],
  ['otel-resource-attributes', 'team=a,site=b'],
])('values of --%s may have commas between them', (name, text) => {
  const words = ['-m', 'm', `--${name}`, text];
  expect(parseCommandLine(profileCommand, words, '')[name]).toEqual(text.split(','));
});
