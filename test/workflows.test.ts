import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './source.ts';

const FOLDER = join(root, '.github/workflows');
// YAML is a dependency of a package, not of the repository.
const { parse } = createRequire(join(root, 'packages/terminal/package.json'))('yaml') as {
  parse(text: string): unknown;
};

interface Workflow {
  readonly on: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe.each(readdirSync(FOLDER))('the workflow %s', name => {
  const workflow: Workflow = parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  const commands = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));

  test('runs only scripts that exist', () => {
    const used = commands.flatMap(command =>
      [...command.matchAll(/npm run ([\w-]+)/g)].map(([, script]) => script!),
    );
    for (const script of used) expect(Object.keys(scripts)).toContain(script);
    for (const file of commands.flatMap(command => command.match(/\bscripts\/[\w./-]+/g) ?? []))
      expect(existsSync(join(root, file)), file).toBe(true);
  });

  test('waits only for jobs that exist', () => {
    for (const [job, { needs = [] }] of jobs)
      for (const needed of [needs].flat()) expect(Object.keys(workflow.jobs), job).toContain(needed);
  });
});

test('packages are published to npm with provenance, by a job that may create tokens', () => {
  const { jobs }: Workflow = parse(readFileSync(join(FOLDER, 'release.yml'), 'utf8')) as Workflow;
  const publishing = Object.values(jobs).filter(({ steps }) =>
    steps.some(({ run }) => run?.includes('npm publish')),
  );
  expect(publishing).toHaveLength(1);
  expect(publishing[0]!.permissions).toMatchObject({ 'id-token': 'write' });
  expect(publishing[0]!.steps.some(({ run }) => run?.includes('--provenance'))).toBe(true);
});
