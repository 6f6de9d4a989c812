import { expect, test } from 'vitest';
import { bearerAuthorization } from '../src/authorization.ts';
import type { Reading } from '../src/exposition/reader.ts';
import { SecretMask } from '../src/mask.ts';
import { type EndpointEvent, EndpointNews } from '../src/news.ts';
import { metricsTarget, type Target } from '../src/target.ts';

const URL = 'http://h:1/metrics';
const FAILURE = { reason: 'http_status', message: 'answered 503' } as const;
const READING: Reading = {
  values: new Float64Array(0),
  changed: true,
  steady: false,
  samples: 0,
  dropped: 0,
  badLines: [],
  badLineCount: 0,
  left: { times: [], unsupported: [] },
  bytes: 0,
};

/** What is told, as `kind: message`. */
function newsOf(tell: (news: EndpointNews) => void, target = metricsTarget(URL)): string[] {
  const events: EndpointEvent[] = [];
  tell(new EndpointNews(URL, new SecretMask(target), event => events.push(event)));
  return events.map(({ kind, message }) => `${kind}: ${message}`);
}

test.each<[string, (news: EndpointNews) => void, string[]]>([
  [
    'each loss and each return',
    news => {
      news.lost(FAILURE);
      news.back(false, false);
      news.lost(FAILURE);
      news.back(true, false);
    },
    [
      `lost: endpoint '${URL}' answered 503; it is tried again`,
      `back: endpoint '${URL}' is back`,
      `lost: endpoint '${URL}' answered 503; it is tried again`,
      `back: endpoint '${URL}' is there now`,
    ],
  ],
  [
    'flapping once, in place of each return',
    news => {
      for (let times = 0; times < 3; times++) news.back(false, true);
    },
    [`flapping: endpoint '${URL}': gives data and fails by turns; this is counted and not said each time`],
  ],
  [
    'the first reset, whatever the next one is',
    news => {
      news.reset(0);
      news.reset(7);
    },
    [
      `reset: endpoint '${URL}': its process began anew, as after a restart of the server; every time stands in the export`,
    ],
  ],
  [
    'the first change of address',
    news => {
      news.moved({ atNs: 1n, from: '10.0.0.1', to: '10.0.0.2' });
      news.moved({ atNs: 1n, from: '10.0.0.1', to: '10.0.0.2' });
    },
    [`moved: endpoint '${URL}': its name leads to 10.0.0.2 now, and led to 10.0.0.1 before`],
  ],
  [
    'each kind of loss in a body once',
    news => {
      const reading = {
        ...READING,
        dropped: 2,
        badLines: [{ line: 3, text: 'x', reason: 'no value' }],
        badLineCount: 4,
        left: { ...READING.left, unsupported: ['a', 'b'] },
      };
      news.losses(READING);
      news.losses(reading);
      news.losses(reading);
    },
    [
      `bad_lines: endpoint '${URL}': 4 line(s) left out, the first: line 3: no value`,
      `dropped: endpoint '${URL}': 2 sample(s) without a finite value left out`,
      `left_out: endpoint '${URL}': no statistics for a, b`,
    ],
  ],
  [
    'what comes behind a swap of the other page',
    news => {
      news.swapped(URL, FAILURE, 'http://h:1/prometheus/metrics');
      news.lost(FAILURE);
    },
    [
      `swapped: endpoint '${URL}' answered 503; scraping http://h:1/prometheus/metrics instead`,
      "lost: endpoint 'http://h:1/prometheus/metrics' answered 503; it is tried again",
    ],
  ],
])('tells %s', (_, tell, told) => {
  expect(newsOf(tell)).toEqual(told);
});

test('says neither a password nor a secret that a body repeats', () => {
  const secret = 'a-token-of-many-letters';
  const target: Target = { ...metricsTarget(URL), access: { authorization: bearerAuthorization(secret) } };
  const told = newsOf(news => {
    news.disabled('http://u:pass@h:1/metrics', FAILURE);
    news.losses({
      ...READING,
      badLines: [{ line: 1, text: secret, reason: `'${secret}' is no value` }],
      badLineCount: 1,
    });
  }, target).join('\n');
  expect(told).toMatch(/disabled: Disabling server metrics collection for http:\/\/h:1\/metrics: endpoint /);
  expect(told).toContain('no-server-metrics');
  expect(told).not.toMatch(/pass@|token-of-many/);
});
