import { expect, test } from 'vitest';
import { omitDefinitions, recordDefinitions } from '../src/recordedConfig.ts';
import { addRunServers, readRunServers } from '../src/runServers.ts';
import { createRunRecord } from './support/runRecord.ts';

const MINE = { name: 'Mine', recognize: { prefixes: ['mine_'] } };
const OTHER = { name: 'Mine', recognize: { prefixes: ['other_'] } };

test('a run knows the servers that it recorded, in addition to the built-in ones', async () => {
  const { catalog } = await readRunServers({ server_definitions: [MINE] });
  expect(catalog.isKnown('mine_queue')).toBe(true);
  expect(catalog.isKnown('vllm:num_requests_running')).toBe(true);
});

test('an added definition replaces the recorded one with the same name', async () => {
  const { catalog, definitions } = await readRunServers({ server_definitions: [MINE] }, [OTHER]);
  expect(definitions).toEqual([OTHER]);
  expect(catalog.isKnown('mine_queue')).toBe(false);
  expect(catalog.isKnown('other_queue')).toBe(true);
});

test('a record is exported again with the added definitions and without invalid ones', async () => {
  const servelensConfig = { workers: 2, server_definitions: [5] };
  const { record, problems } = await addRunServers({ ...createRunRecord([], 0, 1), servelensConfig }, [MINE]);
  expect(record.servelensConfig).toEqual({ workers: 2, server_definitions: [MINE] });
  expect(problems).toHaveLength(1);
});

test('a record without definitions keeps its configuration', async () => {
  const { record } = await addRunServers(createRunRecord([], 0, 1));
  expect(record).not.toHaveProperty('servelensConfig');
});

test('definitions are recorded in a field of their own, which is not an option', () => {
  const config = recordDefinitions({ workers: 2 }, [MINE]);
  expect(config).toEqual({ workers: 2, server_definitions: [MINE] });
  expect(omitDefinitions(config)).toEqual({ workers: 2 });
  expect(recordDefinitions(undefined, [])).toBeUndefined();
});
