import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readProfile, splitWords } from '../support/options.ts';

test.each([
  [
    '--endpoint-type video-generation',
    '"video-generation" of --endpoint-type is not available yet; instead, send prepared bodies',
  ],
  ['--input-file a --custom-dataset-type weka_trace', 'instead, convert the trace to mooncake_trace'],
  ['--input-file a --custom-dataset-type speed_bench_coding', 'instead, convert each line of SPEED-Bench'],
  [
    '--audio-length-mean 1 --audio-format mp3',
    '"mp3" of --audio-format is not available yet; instead, send clips',
  ],
  ['--transport grpc', 'invalid --transport-type "grpc": expected one of http'],
])('%s names what to use instead', (line, message) => {
  const read = () => readProfile(['-m', 'm', ...splitWords(line)]);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(message);
});
