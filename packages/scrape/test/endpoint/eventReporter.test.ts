import { expect, test } from 'vitest';
import { createBearerAuthorization } from '../../src/credentials/authorization.ts';
import { type EndpointEvent, EndpointEventReporter } from '../../src/endpoint/eventReporter.ts';
import { parseMetricsTarget, type Target } from '../../src/endpoint/target.ts';
import { TargetSecrets } from '../../src/endpoint/targetSecrets.ts';
import type { Reading } from '../../src/exposition/bodyState.ts';

const URL = 'http://h:1/metrics';
const FAILURE = { reason: 'http_status', message: 'responded with HTTP status 503' } as const;
const READING: Reading = {
  values: new Float64Array(0),
  changed: true,
  steady: false,
  samples: 0,
  dropped: 0,
  badLines: [],
  badLineCount: 0,
  omitted: { times: [], unsupported: [] },
  bytes: 0,
};

/** Collects the events as `kind: message`. */
function collectEvents(
  report: (reporter: EndpointEventReporter) => void,
  target = parseMetricsTarget(URL),
): string[] {
  const events: EndpointEvent[] = [];
  report(new EndpointEventReporter(URL, new TargetSecrets(target), event => events.push(event)));
  return events.map(({ kind, message }) => `${kind}: ${message}`);
}

test.each<[string, (reporter: EndpointEventReporter) => void, string[]]>([
  [
    'each failure and each recovery',
    reporter => {
      reporter.reportFailure(FAILURE);
      reporter.reportRecovery(false, false);
      reporter.reportFailure(FAILURE);
      reporter.reportRecovery(true, false);
    },
    [
      `failing: endpoint '${URL}' responded with HTTP status 503; retrying`,
      `recovered: endpoint '${URL}' has recovered`,
      `failing: endpoint '${URL}' responded with HTTP status 503; retrying`,
      `recovered: endpoint '${URL}' is now reachable`,
    ],
  ],
  [
    'flapping once, and no recoveries while flapping',
    reporter => {
      for (let times = 0; times < 3; times++) reporter.reportRecovery(false, true);
    },
    [`flapping: endpoint '${URL}' is flapping; further changes are counted, not logged`],
  ],
  [
    'only the first reset',
    reporter => {
      reporter.reportReset({ counters: 0, hasRestarted: true });
      reporter.reportReset({ counters: 7, hasRestarted: false });
    },
    [
      `reset: endpoint '${URL}' has a new process start time, because its server restarted; all resets are recorded in the export`,
    ],
  ],
  [
    'only the first address change',
    reporter => {
      reporter.reportAddressChange({ atNs: 1n, from: '10.0.0.1', to: '10.0.0.2' });
      reporter.reportAddressChange({ atNs: 1n, from: '10.0.0.1', to: '10.0.0.2' });
    },
    [`address_changed: endpoint '${URL}' now resolves to 10.0.0.2 instead of 10.0.0.1`],
  ],
  [
    'each kind of omission once',
    reporter => {
      const reading = {
        ...READING,
        dropped: 2,
        badLines: [{ line: 3, text: 'x', reason: 'no value' }],
        badLineCount: 4,
        omitted: { ...READING.omitted, unsupported: ['a', 'b'] },
      };
      reporter.reportOmissions(READING);
      reporter.reportOmissions(reading);
      reporter.reportOmissions(reading);
    },
    [
      `bad_lines: endpoint '${URL}' sent 4 invalid lines in one body (skipped); the first is line 3: no value`,
      `dropped_samples: endpoint '${URL}' sent NaN or infinite values, or incomplete histograms or summaries; 2 samples dropped`,
      `unsupported_types: endpoint '${URL}' returned metrics of unsupported types, which are not recorded: a, b`,
    ],
  ],
  [
    'events after a URL change with the new URL',
    reporter => {
      reporter.reportUrlChange(URL, FAILURE, 'http://h:1/prometheus/metrics');
      reporter.reportFailure(FAILURE);
    },
    [
      `url_changed: endpoint '${URL}' responded with HTTP status 503; scraping http://h:1/prometheus/metrics instead`,
      "failing: endpoint 'http://h:1/prometheus/metrics' responded with HTTP status 503; retrying",
    ],
  ],
])('reports %s', (_, report, expected) => {
  expect(collectEvents(report)).toEqual(expected);
});

test('redacts passwords and secrets that a body echoes', () => {
  const secret = 'a-token-of-many-letters';
  const target: Target = {
    ...parseMetricsTarget(URL),
    access: { authorization: createBearerAuthorization(secret) },
  };
  const output = collectEvents(reporter => {
    reporter.reportDisabled('http://u:pass@h:1/metrics', FAILURE);
    reporter.reportOmissions({
      ...READING,
      badLines: [{ line: 1, text: secret, reason: `'${secret}' is no value` }],
      badLineCount: 1,
    });
  }, target).join('\n');
  expect(output).toMatch(
    /disabled: Disabling server metrics collection for http:\/\/h:1\/metrics: endpoint /,
  );
  expect(output).toContain('no-server-metrics');
  expect(output).not.toMatch(/pass@|token-of-many/);
});
