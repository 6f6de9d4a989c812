import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine } from '@org/terminal/parse';
import { YamlFile } from '@org/terminal/userFile';
import { describe, expect, test } from 'vitest';
import { profileCommand } from '../../src/commands/profile.ts';
import { runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const JOB = ['kube', 'manifest', '--image', 'servelens:1', '--volume-claim', 'runs'];
const LOAD = ['-m', 'm', '--url', 'http://vllm:8000', '--request-rate', '40', '--request-count', '60'];

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly data: Readonly<Record<string, string>>;
  readonly subjects: readonly object[];
  readonly rules: readonly object[];
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: readonly { readonly args: readonly string[]; readonly envFrom?: object }[];
      };
    };
  };
}

/** Prints a manifest, and parses its objects by kind. */
async function printObjects(
  args: readonly string[],
  cwd: string = makeTestFolder(),
): Promise<Record<string, KubernetesObject>> {
  const { code, out, err } = await runServelens(args, { cwd });
  expect(err).toBe('');
  expect(code).toBe(0);
  const objects = out.split('---\n').map(text => {
    const file = new YamlFile(text);
    expect(file.problems).toEqual([]);
    return file.toObject() as unknown as KubernetesObject;
  });
  return Object.fromEntries(objects.map(object => [object.kind, object]));
}

const readArgs = ({ Job }: Record<string, KubernetesObject>): readonly string[] =>
  Job!.spec.template.spec.containers[0]!.args;

test('prints the same objects as a JSON list with --json', async () => {
  const cwd = makeTestFolder();
  const words = ['--quiet', '--', ...LOAD, '--random-seed', '5'];
  const { code, out } = await runServelens([...JOB, '--json', ...words], { cwd });
  const list = JSON.parse(out) as { readonly items: readonly KubernetesObject[] };
  expect({ code, list }).toMatchObject({ code: 0, list: { apiVersion: 'v1', kind: 'List' } });
  expect(list.items).toEqual(Object.values(await printObjects([...JOB, ...words], cwd)));
});

test('prints an indexed job with one pod for each shard, its account and its files', async () => {
  const objects = await printObjects([
    ...JOB,
    '--shards',
    '3',
    '--name',
    'run-1',
    '--namespace',
    'bench',
    '--',
    ...LOAD,
  ]);
  expect(Object.keys(objects)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'ConfigMap', 'Job']);
  for (const { metadata } of Object.values(objects))
    expect(metadata).toMatchObject({ name: 'run-1', namespace: 'bench' });
  expect(objects.Job!.spec).toMatchObject({
    completionMode: 'Indexed',
    completions: 3,
    parallelism: 3,
    backoffLimit: 0,
    template: { spec: { restartPolicy: 'Never', serviceAccountName: 'run-1' } },
  });
  expect(objects.Role!.rules).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }]);
  expect(objects.RoleBinding!.subjects).toEqual([
    { kind: 'ServiceAccount', name: 'run-1', namespace: 'bench' },
  ]);
});

test('each pod runs one shard of the same load', async () => {
  const args = readArgs(await printObjects([...JOB, '--shards', '3', '--', ...LOAD]));
  const shards = [0, 1, 2].map(index =>
    parseCommandLine(
      profileCommand,
      args.slice(1).map(word => word.replaceAll('$(JOB_COMPLETION_INDEX)', String(index))),
      '',
    ),
  );
  expect(args[0]).toBe('profile');
  shards.forEach((raw, index) => {
    expect(raw).toMatchObject({
      shard: `${index}/3`,
      'artifact-dir': `/artifacts/servelens/shard-${index}`,
      'random-seed': shards[0]!['random-seed'],
      'request-rate': '40',
    });
  });
  expect(Number(shards[0]!['random-seed'])).toBeGreaterThanOrEqual(0);
});

test('keeps a seed, and mounts the files of options', async () => {
  const cwd = makeTestFolder();
  const text = '{"text":"first"}\n{"text":"second: #\\"yes\\""}\n';
  writeFileSync(join(cwd, 'my prompts.jsonl'), text);
  const files = ['--input-file', 'my prompts.jsonl', '--random-seed=5'];
  const objects = await printObjects([...JOB, '--shards', '2', '--', ...LOAD, ...files], cwd);
  expect(objects.ConfigMap!.data['my_prompts.jsonl']).toBe(text);
  const args = readArgs(objects);
  expect(args).toContain('/etc/servelens/my_prompts.jsonl');
  expect(args.filter(word => word.startsWith('--random-seed'))).toEqual(['--random-seed=5']);
});

test('passes secrets as environment variables', async () => {
  const objects = await printObjects([...JOB, '--secret', 'keys', '--', ...LOAD, '--api-key', '$(API_KEY)']);
  expect(readArgs(objects)).toContain('$(API_KEY)');
  expect(objects.Job!.spec.template.spec.containers[0]!.envFrom).toEqual([{ secretRef: { name: 'keys' } }]);
});

describe('refuses', () => {
  test.each([
    ['no image', ['kube', 'manifest', '--', ...LOAD], 'missing --image'],
    [
      'no place for the results',
      ['kube', 'manifest', '--image', 'i', '--', ...LOAD],
      'missing --volume-claim',
    ],
    ['no options of profile', JOB, 'missing options after --'],
    [
      'an invalid option of profile',
      [...JOB, '--', ...LOAD, '--request-rat', '5'],
      'unknown option --request-rat',
    ],
    [
      'a load that cannot be divided',
      [...JOB, '--shards', '9', '--', '-m', 'm', '--concurrency', '4', '--request-count', '20'],
      'invalid --concurrency 4: expected at least 9',
    ],
    [
      'a sweep',
      [...JOB, '--shards', '2', '--', '-m', 'm', '--concurrency', '4,8'],
      'cannot use --shard with several runs',
    ],
    [
      'an option that the manifest sets',
      [...JOB, '--', ...LOAD, '--shard', '0/2'],
      'cannot use --shard after --',
    ],
    ['a secret', [...JOB, '--', ...LOAD, '--api-key', 'sk-1'], '--api-key may be a secret'],
    ['an invalid name', [...JOB, '--name', 'My_Run', '--', ...LOAD], 'invalid --name "My_Run"'],
    ['an invalid number of shards', [...JOB, '--shards', '0', '--', ...LOAD], 'invalid --shards "0"'],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await runServelens(args, { cwd: makeTestFolder() });
    expect(err).toContain(message);
    expect(err).not.toContain('sk-1');
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('a file that is larger than a ConfigMap', async () => {
    const cwd = makeTestFolder();
    writeFileSync(join(cwd, 'prompts.jsonl'), `${JSON.stringify({ text: 'a'.repeat(1_000_001) })}\n`);
    const { code, err } = await runServelens([...JOB, '--', ...LOAD, '--input-file', 'prompts.jsonl'], {
      cwd,
    });
    expect(err).toContain('the limit of a ConfigMap');
    expect(code).toBe(2);
  });
});
