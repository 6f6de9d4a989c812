import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../service.ts';
import { readJson } from '../support/exports.ts';
import { describePeer } from '../support/peer.ts';
import { servelens } from '../support/servelens.ts';
import { writeModel } from './model.ts';
import { MODEL, START_TIMEOUT_MS, startVllm } from './server.ts';

const REQUESTS = 8;

/** Body of vLLM's API for scores, which AIPerf has no endpoint type for. */
const SCORE_BODY = '{"model": {{ model|tojson }}, "text_1": "a query", "text_2": {{ texts|tojson }}}';

/** An API of vLLM for models that return vectors or scores. */
interface PoolingApi {
  readonly name: string;
  readonly args: readonly string[];
  /** `usage` counts the query of a ranking once per passage, although the server computes it only once. */
  readonly isRanking?: true;
}

const APIS: readonly PoolingApi[] = [
  { name: 'embeddings', args: ['--endpoint-type', 'embeddings', '--isl', '30'] },
  { name: 'batches of embeddings', args: ['--endpoint-type', 'embeddings', '--isl', '30', '-b', '3'] },
  { name: 'embeddings of messages', args: ['--endpoint-type', 'chat_embeddings', '--isl', '30'] },
  {
    name: 'rankings',
    isRanking: true,
    args: ['--endpoint-type', 'cohere_rankings', '--rankings-passages-mean', '4'],
  },
  {
    name: 'scores',
    isRanking: true,
    args: [
      ...['--endpoint-type', 'template', '--endpoint', '/score', '--isl', '30', '-b', '3'],
      ...['--extra-inputs', `payload_template:${SCORE_BODY}`],
      ...['--extra-inputs', 'response_field:data[].score'],
    ],
  },
];

interface Profile {
  readonly request_count: unknown;
  readonly error_request_count?: { readonly avg: number };
  readonly total_usage_prompt_tokens: { readonly avg: number };
  readonly output_sequence_length?: { readonly avg: number };
  readonly reconciliation: unknown;
}

describePeer('vllm', 'vLLM and models that return vectors', peer => {
  const folder = mkdtempSync(join(tmpdir(), 'vllm-'));
  const model = join(folder, 'model');
  let server: Service;

  beforeAll(async () => {
    writeModel(model);
    server = await startVllm(peer, model, ['--runner', 'pooling'], {
      path: '/v1/embeddings',
      body: { input: 'first' },
    });
  }, 2 * START_TIMEOUT_MS);

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  test.each(APIS)(
    '$name: every request succeeds, and the server counts its tokens',
    async ({ name, args, isRanking }) => {
      const target = ['--model', MODEL, '--url', server.url, '--tokenizer', model];
      const load = ['--request-count', String(REQUESTS), '--concurrency', '4'];
      await servelens('profile', ...target, ...args, ...load, '--artifact-dir', join(folder, name));
      const run = readJson<Profile>(folder, name, 'profile_export_aiperf.json');
      expect(run.request_count).toMatchObject({ avg: REQUESTS });
      expect(run.error_request_count?.avg ?? 0).toBe(0);
      expect(run.output_sequence_length?.avg ?? 0).toBe(0);
      const client = run.total_usage_prompt_tokens.avg;
      const counted = isRanking ? { client } : { client, server: client, difference: 0 };
      expect(run.reconciliation).toMatchObject({
        server: 'vLLM',
        prompt_tokens: { ...counted, client_source: 'usage' },
      });
    },
  );
});
