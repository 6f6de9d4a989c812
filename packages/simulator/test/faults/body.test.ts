import { describe, expect, test } from 'vitest';
import { type BodyEditName, bodyEdits } from '../../src/faults/body.ts';
import { Simulation } from '../../src/simulation.ts';
import { readExposition, sampleValue } from '../support/exposition.ts';

const simulation = new Simulation({ seed: 1, arrivalRate: 10 });
simulation.advanceTo(5e9);
const { body } = simulation.page().read('');
const families = readExposition(body);

test('nan and inf spoil gauges, and nothing else', () => {
  for (const [edit, values] of [
    ['nan', [Number.NaN]],
    ['inf', [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
  ] as const) {
    const spoilt = readExposition(bodyEdits[edit](body));
    expect([...spoilt.keys()]).toEqual([...families.keys()]);
    for (const [name, { type, samples }] of spoilt) {
      if (type !== 'gauge') expect(samples).toEqual(families.get(name)!.samples);
      else for (const { value } of samples) expect(values.some(one => Object.is(one, value))).toBe(true);
    }
  }
});

test('nan-histogram spoils sums', () => {
  const spoilt = readExposition(bodyEdits['nan-histogram'](body));
  expect(sampleValue(spoilt, 'vllm:e2e_request_latency_seconds_sum')).toBeNaN();
  expect(sampleValue(spoilt, 'vllm:e2e_request_latency_seconds_count')).toBeGreaterThan(10);
});

describe('the others leave what was there before as it was', () => {
  test.each<[BodyEditName, RegExp]>([
    ['garbage', /^!!! this line is no metric$/m],
    [
      'duplicate',
      /^vllm:num_requests_running\{.*\} (\d+)\.0\n(?:.*\n)+vllm:num_requests_running\{.*\} \d+$/m,
    ],
    ['huge-labels', /x{1048576}/],
    ['odd-labels', /^simulated_odd_labels\{__proto__="polluted"\} 1$/m],
    ['hostile-values', /^simulated_hostile\{text="=cmd\(\)\|'\/C calc'!A0"\} 4$/m],
    ['le-clash', /le="1"\} 3\n.*le="1.0"\} 4\n.*le="1e\+00"\} 5\n/],
  ])('%s', (edit, added) => {
    const spoilt = bodyEdits[edit](body);
    expect(spoilt).toMatch(added);
    expect(spoilt.length).toBeGreaterThan(body.length);
    const lines = new Set(spoilt.split('\n'));
    for (const line of body.split('\n')) expect(lines).toContain(line);
  });
});

test('the simple ones', () => {
  expect(bodyEdits['no-type'](body)).not.toContain('# TYPE');
  expect(bodyEdits.timestamps('# TYPE a gauge\na{b="c d"} 1\n')).toBe(
    '# TYPE a gauge\na{b="c d"} 1 1767225600123\n',
  );
  expect(bodyEdits.crlf('a 1\nb 2\n')).toBe('a 1\r\nb 2\r\n');
  expect(bodyEdits['no-final-newline']('a 1\nb 2\n')).toBe('a 1\nb 2');
  expect(bodyEdits.empty(body)).toBe('');
});

test('hostile values are still well-formed', () => {
  const spoilt = readExposition(bodyEdits['hostile-values'](body));
  const texts = spoilt.get('simulated_hostile')!.samples.map(({ labels }) => labels.text);
  expect(texts).toContain('line one\nline two');
  expect(texts).toContain('<img src=x onerror=alert(1)>');
  expect(texts).toContain('back\\slash');
  expect(texts).toContain('\u001b[31mred\u001b[0m\u0007');
});
