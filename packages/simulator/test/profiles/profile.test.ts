import { expect, test } from 'vitest';
import { CPP_STYLE, PYTHON_STYLE } from '../../src/metrics/expositionStyle.ts';
import { Registry } from '../../src/metrics/registry.ts';
import { createTextPage, toSeconds } from '../../src/profiles/profile.ts';

const PAGE_LOCATION = { name: 'metrics', path: '/metrics', port: 'main' } as const;

test('updates values that are computed on read', () => {
  const registry = new Registry({ getTimeS: () => 0, truth: undefined });
  const reads = registry.gauge('reads', 'Reads').labels({});
  const page = createTextPage(PAGE_LOCATION, registry, CPP_STYLE, () => reads.set(reads.value + 1));
  expect([page.read('').body, page.read('').body].map(body => body.split('\n').at(-2))).toEqual([
    'reads 1',
    'reads 2',
  ]);
});

test.each([
  [PYTHON_STYLE, '', 'text/plain; version=0.0.4; charset=utf-8'],
  [
    PYTHON_STYLE,
    'application/openmetrics-text; version=1.0.0',
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ],
  [CPP_STYLE, 'application/openmetrics-text; version=1.0.0', 'text/plain; version=0.0.4; charset=utf-8'],
])(
  'chooses the format by the Accept header, if the server supports OpenMetrics: %#',
  (style, accept, contentType) => {
    const page = createTextPage(PAGE_LOCATION, new Registry({ getTimeS: () => 0, truth: undefined }), style);
    expect(page.read(accept).contentType).toBe(contentType);
  },
);

test('converts ns to seconds', () => {
  expect(toSeconds(1_500_000_000)).toBe(1.5);
});
