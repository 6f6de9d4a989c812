import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { detectDataset } from '../../src/profile/dataset.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-dataset-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([
  ['{"text": "a"}', 'single_turn', false],
  ['{"text": "a", "timestamp": 1}', 'single_turn', true],
  ['{"session_id": "a", "turns": [{"text": "b", "timestamp": 3}]}', 'multi_turn', true],
  ['{"session_id": "a", "turns": [{"messages": []}]}', 'dag_jsonl', false],
  ['{"session_id": "a", "orchestrator": true, "spawns": ["b"]}', 'dag_jsonl', false],
  ['{"type": "random_pool", "text": "a"}', 'random_pool', false],
  ['{"messages": [], "stream": true}', 'raw_payload', false],
  ['{"data": [{"session_id": "a", "payloads": []}]}', 'inputs_json', false],
  ['{\n  "data": [\n    {"session_id": "a"}]}', 'inputs_json', false],
  ['[{"id": "a", "conversations": []}]', 'sharegpt', false],
  ['[\n  {\n    "id": "a"}]', 'sharegpt', false],
  ['{"input_length": 1, "timestamp": 0}', 'mooncake_trace', true],
  ['{"timestamp": 0, "payload": {"messages": []}}', 'mooncake_trace', true],
  ['{"type": "mooncake_trace", "messages": []}', 'mooncake_trace', false],
  ['{"chat_id": 1, "timestamp": 0.5, "input_length": 1, "type": "text"}', 'bailian_trace', true],
  ['Timestamp,Model,Request tokens,Response tokens\n1,a,2,3', 'burst_gpt_trace', false],
  ['{"captureData": {}, "eventMetadata": {}}', 'sagemaker_data_capture', false],
  ['not JSON', 'single_turn', false],
])('detects %s', (text, type, isScheduled) => {
  const path = join(makeFolder(), 'inputs');
  writeFileSync(path, `\uFEFF\n${text}`);
  expect(detectDataset(path)).toMatchObject({ type, isScheduled });
});

test.each(['burst_gpt_trace', 'sagemaker_data_capture'])(
  'the timestamps of %s are used only on request',
  type => {
    const path = join(makeFolder(), 'inputs');
    const isCsv = type === 'burst_gpt_trace';
    writeFileSync(
      path,
      isCsv ? 'Timestamp,Request tokens,Response tokens\n' : '{"captureData": {}, "eventMetadata": {}}',
    );
    expect(detectDataset(path)).toEqual({ type, isScheduled: false });
  },
);

test.each([
  ['{"text": "a"}', 'random_pool'],
  ['{"messages": []}', 'raw_payload'],
  ['{"captureData": {}, "eventMetadata": {}}', 'sagemaker_data_capture'],
])('detects a folder with %s', (text, type) => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'sub'));
  writeFileSync(join(folder, 'a-empty.jsonl'), '');
  writeFileSync(join(folder, 'sub', 'b.jsonl'), text);
  expect(detectDataset(folder).type).toBe(type);
});

test('detects a compressed file', () => {
  const path = join(makeFolder(), 'inputs.jsonl.gz');
  writeFileSync(path, gzipSync('{"input_length": 1, "timestamp": 0}'));
  expect(detectDataset(path)).toMatchObject({ type: 'mooncake_trace', isScheduled: true });
});

test('throws the error of the file system for a missing file and for a folder without files', () => {
  expect(() => detectDataset('/nowhere')).toThrow('ENOENT');
  expect(() => detectDataset(makeFolder())).toThrow('EISDIR');
});
