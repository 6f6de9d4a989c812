import { expect, test } from 'vitest';
import { nameOption } from '../../src/compare/optionNames.ts';

test.each([
  ['datasets.main.prompts.isl.mean', 'input tokens'],
  ['datasets.main.prompts.isl', 'input tokens'],
  ['datasets.chat.prompts.osl.stddev', 'output tokens stddev'],
  ['datasets.main.prefix_prompts.shared_system_length', 'tokens of the shared system prompt'],
  ['datasets.main.prefix_prompts.pool_size', 'prefix prompts pool size'],
  ['datasets.main.prompts.batch_size', 'prompts batch size'],
  ['datasets.main.turns.mean', 'turns mean'],
  ['datasets.main.turn_delay.mean', 'turn delay mean'],
  ['datasets.main.entries', 'dataset entries'],
  ['phases.profiling.concurrency', 'concurrency'],
  ['phases.warmup.requests', 'requests'],
  ['endpoint.extra.ignore_eos', 'extra ignore eos'],
  ['slos.time_to_first_token', 'time to first token'],
  ['models', 'model'],
])('names %s as "%s"', (path, name) => {
  expect(nameOption(path)).toBe(name);
});
