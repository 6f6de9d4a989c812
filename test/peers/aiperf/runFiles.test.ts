import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { describePeer } from '../support/peer.ts';
import { Aiperf } from './aiperf.ts';

/** The output of read_run_files.py. */
interface Files {
  readonly schema: string;
  readonly templates: readonly string[];
  readonly errors: Readonly<Record<string, string | null>>;
}

/** A part of a JSON Schema. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Number of templates of AIPerf 0.13.0. */
const TEMPLATES = 27;

/** Texts of problems that mean that a file does not have the schema. */
const NOT_PARSED =
  /unknown key|unexpected type|invalid template|is not a |is set twice|expected rate|cannot be read/;

describePeer('aiperf', 'Run files of AIPerf', peer => {
  const aiperf = new Aiperf(peer);
  let files: Files;
  const example = join(aiperf.folder, 'example.yaml');
  beforeAll(async () => {
    await runServelens(['config', 'init', example]);
    files = (await aiperf.runScript('read_run_files.py', [example])) as Files;
  });
  afterAll(() => rmSync(aiperf.folder, { recursive: true }));

  async function check(path: string): Promise<string> {
    const { stdout, stderr } = await runServelens(['config', 'check', basename(path)], {
      cwd: dirname(path),
    });
    return `${stdout}${stderr}`;
  }

  test('servelens config check parses all templates of AIPerf', { timeout: 300_000 }, async () => {
    expect(files.templates).toHaveLength(TEMPLATES);
    for (const path of files.templates) {
      const output = await check(path);
      expect(output, path).not.toMatch(NOT_PARSED);
      expect(output, path).toMatch(/is valid: \d+ runs?|not in Servelens yet|not available yet|--/);
    }
  });

  test('AIPerf accepts the file that servelens config init writes', () => {
    expect(files.errors).toEqual({ [example]: null });
  });

  test.each([
    ['SyntheticDataset', 'ConcurrencyPhase', 'GridSweep'],
    ['FileDataset', 'GammaPhase', 'ScenarioSweep'],
    ['PublicDataset', 'UserCentricPhase', 'AdaptiveSearchSweep'],
    ['SyntheticDataset', 'FixedSchedulePhase', 'ZipSweep'],
    ['SyntheticDataset', 'PoissonPhase', 'SobolSweep'],
    ['SyntheticDataset', 'ConstantPhase', 'LatinHypercubeSweep'],
  ])('all keys of the schema are known, with %s, %s and %s', async (dataset, phase, sweep) => {
    const schema = JSON.parse(readFileSync(files.schema, 'utf8')) as Schema;
    const fill = (node: Schema): unknown => fillKeys(node, schema);
    const definition = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
    const { phases, warmup, profiling, datasets, ...benchmark } = fill(
      definition('BenchmarkConfig'),
    ) as Record<string, unknown>;
    const document = {
      ...(fill(schema) as object),
      benchmark: { ...benchmark, dataset: fill(definition(dataset)), phases: fill(definition(phase)) },
      sweep: fill(definition(sweep)),
    };
    const path = join(aiperf.folder, 'keys.json');
    writeFileSync(path, JSON.stringify(document));
    const output = await check(path);
    expect(output).not.toBe('');
    expect(output).not.toContain('unknown key');
  });
});

/** Returns a value with all keys of a schema. Values are constants, mappings or null, which sets nothing. */
function fillKeys(node: Schema, root: Schema, depth = 0): unknown {
  const { $ref, anyOf, oneOf, properties } = node;
  if ($ref !== undefined) return fillKeys(root.$defs![$ref.replace('#/$defs/', '')]!, root, depth);
  if (properties && depth < 6)
    return Object.fromEntries(
      Object.entries(properties).map(([key, child]) => [key, fillKeys(child, root, depth + 1)]),
    );
  const choices = [...(anyOf ?? []), ...(oneOf ?? [])].map(choice => fillKeys(choice, root, depth));
  return choices.find(choice => typeof choice === 'object' && choice !== null) ?? node.const ?? null;
}
