import { expect, test } from 'vitest';
import { ExpositionWriter } from '../../src/metrics/exposition.ts';
import {
  CPP_STYLE,
  type ExpositionStyle,
  PYTHON_MULTIPROCESS_STYLE,
  PYTHON_STYLE,
  RUST_STYLE,
} from '../../src/metrics/expositionStyle.ts';
import { Registry } from '../../src/metrics/registry.ts';

function createRegistry(): Registry {
  let tick = 0;
  // Undoes the offset that the registry adds per series, so that all creation times are equal.
  const registry = new Registry({ getTimeS: () => 1000 - 1.2e-5 * ++tick, truth: undefined });
  const counter = registry.counter('x:requests', 'Requests "served"\nso far');
  counter.labels({ reason: 'stop' }).inc(3);
  counter.labels({ reason: 'a"b\\c\nd' }).inc(1e6);
  registry.gauge('x:usage', 'Usage').labels({}).set(0.25);
  const histogram = registry
    .histogram('x:latency_seconds', 'Latency', [0.5, 1, 10])
    .labels({ zone: 'z', model: 'm' });
  for (const value of [0.1, 0.5, 0.75, 99]) histogram.observe(value);
  registry.summary('x:size', 'Size', [0.5]).labels({ zone: 'z' }).observe(7);
  registry.info('x:build', 'Build', { version: '1' });
  registry.untyped('a:plain').labels({}).set(Number.NaN);
  registry.counter('x:empty', 'Nothing yet');
  return registry;
}

const writeBody = (style: ExpositionStyle, format?: 'classic' | 'openmetrics'): string => {
  return new ExpositionWriter(createRegistry(), style).write(format);
};

test('writes the format of the Python client', () => {
  expect(writeBody(PYTHON_STYLE)).toBe(`# HELP x:requests_total Requests "served"\\nso far
# TYPE x:requests_total counter
x:requests_total{reason="stop"} 3.0
x:requests_total{reason="a\\"b\\\\c\\nd"} 1e+06
# HELP x:requests_created Requests "served"\\nso far
# TYPE x:requests_created gauge
x:requests_created{reason="stop"} 1000.0
x:requests_created{reason="a\\"b\\\\c\\nd"} 1000.0
# HELP x:usage Usage
# TYPE x:usage gauge
x:usage 0.25
# HELP x:latency_seconds Latency
# TYPE x:latency_seconds histogram
x:latency_seconds_bucket{le="0.5",model="m",zone="z"} 2.0
x:latency_seconds_bucket{le="1.0",model="m",zone="z"} 3.0
x:latency_seconds_bucket{le="10.0",model="m",zone="z"} 3.0
x:latency_seconds_bucket{le="+Inf",model="m",zone="z"} 4.0
x:latency_seconds_count{model="m",zone="z"} 4.0
x:latency_seconds_sum{model="m",zone="z"} 100.35
# HELP x:latency_seconds_created Latency
# TYPE x:latency_seconds_created gauge
x:latency_seconds_created{model="m",zone="z"} 1000.0
# HELP x:size Size
# TYPE x:size summary
x:size{quantile="0.5",zone="z"} 7.0
x:size_count{zone="z"} 1.0
x:size_sum{zone="z"} 7.0
# HELP x:size_created Size
# TYPE x:size_created gauge
x:size_created{zone="z"} 1000.0
# HELP x:build_info Build
# TYPE x:build_info gauge
x:build_info{version="1"} 1.0
a:plain NaN
# HELP x:empty_total Nothing yet
# TYPE x:empty_total counter
`);
});

test('writes the format of the Python client in multiprocess mode', () => {
  const body = writeBody(PYTHON_MULTIPROCESS_STYLE);
  expect(body).not.toContain('_created');
  expect(body.indexOf('x:latency_seconds_sum')).toBeLessThan(body.indexOf('x:latency_seconds_bucket'));
});

test('writes the format of the Rust client', () => {
  const body = writeBody(RUST_STYLE);
  expect(body).toContain('x:latency_seconds_bucket{model="m",zone="z",le="0.5"} 2\n');
  expect(body).toContain('x:requests_total{reason="stop"} 3\n');
  const names = [...body.matchAll(/^# TYPE (\S+)/gm)].map(match => match[1]);
  expect(names).toEqual(names.toSorted());
  expect(body.indexOf('reason="a')).toBeLessThan(body.indexOf('reason="stop'));
});

test('writes the format of the C++ client', () => {
  const body = writeBody(CPP_STYLE);
  expect(body).toContain(
    'x:size_count{zone="z"} 1\nx:size_sum{zone="z"} 7\nx:size{zone="z",quantile="0.5"} 7\n',
  );
  expect(body).toContain('a:plain Nan\n');
});

test('writes OpenMetrics', () => {
  const body = writeBody(PYTHON_STYLE, 'openmetrics');
  expect(body).toContain(`# HELP x:requests Requests \\"served\\"\\nso far
# TYPE x:requests counter
x:requests_total{reason="stop"} 3.0
x:requests_created{reason="stop"} 1000.0
x:requests_total{reason="a\\"b\\\\c\\nd"} 1e+06
`);
  expect(body).toContain('# TYPE x:build info\nx:build_info{version="1"} 1.0\n');
  expect(body).toContain('# TYPE a:plain unknown\n');
  expect(body.endsWith('\n# EOF\n')).toBe(true);
});

test('includes series that were added after the previous body was written', () => {
  const registry = createRegistry();
  const writer = new ExpositionWriter(registry, PYTHON_STYLE);
  const firstBody = writer.write();
  const gauge = registry.gauge('x:late', 'Late');
  gauge.labels({ a: '1' }).set(5);
  expect(writer.write()).toBe(`${firstBody}# HELP x:late Late\n# TYPE x:late gauge\nx:late{a="1"} 5.0\n`);
});
