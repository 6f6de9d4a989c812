import { expect, test } from 'vitest';
import {
  createDocument,
  downInfo,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';
import { findDeadServers } from '../../src/summary/deadServers.ts';

const deadInfo = {
  ...healthyInfo,
  status: 'failing',
  last_fetch_ns: START_NS + 7n * SECOND_NS,
  last_failure_ns: START_NS + 20n * SECOND_NS,
  outages: [{ start_ns: START_NS + 8n * SECOND_NS, scrapes: 39, reason: 'refused', message: 'refused' }],
};

/** A guessed URL at which the server has no metrics. */
const absentInfo = { ...downInfo, last_error_reason: 'not_found' };

test.each<[string, Record<string, object>, readonly string[], boolean]>([
  ['no server died', { [URL_A]: healthyInfo }, [], false],
  ['the only server died', { [URL_A]: deadInfo }, ['localhost:8000'], true],
  ['one of two servers died', { [URL_A]: deadInfo, [URL_B]: healthyInfo }, ['localhost:8000'], false],
  ['both servers died', { [URL_A]: deadInfo, [URL_B]: deadInfo }, ['localhost:8000', 'down:1'], true],
  ['another endpoint never responded', { [URL_A]: deadInfo, [URL_B]: downInfo }, ['localhost:8000'], true],
  ['another endpoint has no metrics', { [URL_A]: deadInfo, [URL_B]: absentInfo }, ['localhost:8000'], true],
])('reports whether every server with data died if %s', (_, infos, names, isEveryServer) => {
  const view = { ...createDocument({}, infos), input_config: { server_metrics_derived: [URL_B] } };
  const messages = names.map(name => `${name} stopped responding after 7 s and did not recover`);
  expect(findDeadServers(view)).toEqual({ messages, isEveryServer });
});
