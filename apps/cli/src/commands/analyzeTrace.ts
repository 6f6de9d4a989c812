import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describeSystemError } from '@org/core';
import { stringifyJson } from '@org/formats/write';
import { DATASET_TYPES, isTraceType, type TraceType } from '@org/loadgen';
import { UsageError } from '@org/terminal';
import {
  type Command,
  type OptionTable,
  OUTPUT_FLAGS,
  omitUndefined,
  option,
  pickOptions,
  readNumber,
  readText,
} from '@org/terminal/program';

const TRACE_ANALYSIS_OPTIONS: OptionTable = {
  'block-size': option('TOKENS', 'Number of tokens that each hash id stands for', {
    defaultText: '512; 16 for bailian_trace',
  }),
  'custom-dataset-type': option('TYPE', 'Format of the trace', {
    choices: DATASET_TYPES.filter(isTraceType),
    defaultText: 'detected from the first line',
  }),
  'output-file': option('FILE', 'Write the analysis to a JSON file', { aliases: ['output', 'o'] }),
};

/** `servelens analyze-trace`. */
export const analyzeTraceCommand: Command = {
  arguments: [
    { name: 'file', placeholder: 'FILE', description: "Trace, such as a JSONL file in Mooncake's format" },
  ],
  optionGroups: [
    { title: 'Trace', options: TRACE_ANALYSIS_OPTIONS },
    { title: 'Output', options: pickOptions(OUTPUT_FLAGS, ['json']) },
  ],
  examples: [
    {
      command: 'servelens analyze-trace trace.jsonl',
      description: 'Show the lengths and the shared prefixes of a trace',
    },
    {
      command: 'servelens analyze-trace trace.jsonl --block-size 16 --json',
      description: 'Write the analysis as JSON, with blocks of 16 tokens',
    },
  ],
  exitCodes: [
    ['0', 'success'],
    ['2', 'the trace cannot be read, or the arguments are invalid'],
  ],
  run: async (raw, { io }) => {
    const { readTraceAnalysis } = await import('../traceAnalysis/readTraceAnalysis.ts');
    const { renderTraceAnalysis } = await import('../traceAnalysis/traceAnalysisScreen.ts');
    const type = raw['custom-dataset-type'] as TraceType | undefined;
    const blockTokens = readNumber(raw, 'block-size', { min: 1, max: 1e7, isInteger: true });
    const outputFile = readText(raw, 'output-file', 'the path of a JSON file');
    const analysis = await readTraceAnalysis(String(raw.file), io.cwd, omitUndefined({ type, blockTokens }));
    if (outputFile !== undefined) await writeAnalysis(resolve(io.cwd, outputFile), analysis);
    io.stdout.write(`${raw.json === true ? stringifyJson(analysis, 2) : renderTraceAnalysis(analysis)}\n`);
    return 0;
  },
};

/** Writes an analysis to a JSON file. Throws `UsageError` if the file cannot be written. */
async function writeAnalysis(path: string, analysis: object): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${stringifyJson(analysis, 2)}\n`);
  } catch (error) {
    throw new UsageError(`invalid --output-file ${JSON.stringify(path)}: ${describeSystemError(error)}`);
  }
}
