import type { YamlFile } from '@org/terminal/userFile';
import { type FileOption, getField, isMapping, RunFileReader } from './field.ts';
import { mergeScenario } from './mergeScenario.ts';
import { readRunSections } from './runSections.ts';

/**
 * Reads the runs of a sweep of the type `scenarios`: each run is a --variant with the options that differ from
 * the options of the file. Problems are added to the reader.
 */
export function readScenarios(
  file: YamlFile,
  { sweep, ...contents }: Readonly<Record<string, unknown>>,
  reader: RunFileReader,
): void {
  const runs = isMapping(sweep) && sweep.type === 'scenarios' ? sweep.runs : undefined;
  if (!Array.isArray(runs)) return;
  const base = isMapping(contents.benchmark) ? contents.benchmark : {};
  for (const [index, run] of runs.entries()) {
    const benchmark = isMapping(run) ? getField(run, 'benchmark')?.value : undefined;
    const changed = new RunFileReader(file);
    readRunSections(
      { ...contents, benchmark: isMapping(benchmark) ? mergeScenario(base, benchmark) : base },
      changed,
    );
    reader.problems.push(...changed.problems);
    const name = isMapping(run) && run.name !== undefined ? String(run.name) : `scenario_${index}`;
    const options = listDifferences(reader.options, changed.options);
    reader.add('variant', JSON.stringify({ name, ...options }), ['sweep', 'runs', index]);
  }
}

type Options = ReadonlyMap<string, FileOption>;

/** Lists the options of a scenario that the file sets to other values. Null stands for an option that it does not set. */
function listDifferences(base: Options, scenario: Options): Record<string, unknown> {
  const removed = [...base.keys()]
    .filter(name => name !== 'variant' && !scenario.has(name) && !isFromSweep(base.get(name)!))
    .map(name => [name, null]);
  const changed = [...scenario.values()]
    .filter(({ name, values }) => base.get(name)?.values.join('\n') !== values.join('\n'))
    .map(({ name, values }) => [name, values.length === 1 ? values[0] : values]);
  return Object.fromEntries([...removed, ...changed]);
}

function isFromSweep({ path }: FileOption): boolean {
  return path[0] === 'sweep';
}
