import { describe, expect, test } from 'vitest';
import { parseCommandLine, splitAtDashes } from '../../src/program/parse.ts';
import { flag, option, type RawOptions } from '../../src/program.ts';
import { copyCommand, watchCommand } from './sampleProgram.ts';

function parse(words: readonly string[]): RawOptions {
  return parseCommandLine(copyCommand, words, 'files copy [options] SOURCE TARGET...');
}

test.each<[string[], object]>([
  [['a', 'b'], { source: 'a', targets: ['b'], mode: 'keep' }],
  [['a', 'b', 'c', '--mode', 'replace'], { targets: ['b', 'c'], mode: 'replace' }],
  [['-r', '5', 'a', 'b'], { rate: '5', source: 'a' }],
  [['--speed=5', 'a', 'b'], { rate: '5' }],
  [['--rate', '-2.5', 'a', 'b'], { rate: '-2.5' }],
  [['a', 'b', '--include', 'x', 'y,z'], { include: ['x', 'y', 'z'] }],
  [['a', 'b', '--include', 'h/m?a={b="c",d="e"}'], { include: ['h/m?a={b="c",d="e"}'] }],
  [['a', 'b', '--include', 'http://h/m?a=b,c,http://g'], { include: ['http://h/m?a=b,c', 'http://g'] }],
  [['a', 'b', '--include', 'exact:h/a,b'], { include: ['exact:h/a,b'] }],
  [['--header', 'A: 1', '--header', 'B: 2', 'a', 'b'], { header: ['A: 1', 'B: 2'], source: 'a' }],
  [['a', 'b', '--wait'], { wait: '' }],
  [['a', 'b', '--wait', '3'], { wait: '3' }],
  [['-f', 'a', 'b'], { force: true }],
  [['--force=false', 'a', 'b'], { force: false }],
  [['a', 'b', '--json', '--markdown=false'], { json: true }],
  [['-', '007', '1e3'], { source: '-', targets: ['007', '1e3'] }],
  [['a', '--', '--b'], { source: 'a', targets: ['--b'] }],
])('parses %j', (words, values) => {
  expect(parse(words)).toMatchObject(values);
});

const flags = {
  cache: flag('Use the cache', { default: true }),
  force: flag('Force', { aliases: ['overwrite'] }),
  'no-limit': flag('Have no limit'),
  limit: option('N', 'Limit'),
  verbose: flag('Verbose', { aliases: ['v'] }),
  'extra-verbose': flag('More verbose', { aliases: ['vv'] }),
};

function parseFlags(...words: string[]): RawOptions {
  const command = {
    usage: '',
    examples: [],
    optionGroups: [{ title: 'Options', options: flags }],
    unavailableOptions: [
      { program: 'Other', names: ['plot', 'p'], instead: 'use draw' },
      { program: 'Other', names: ['sing'] },
    ],
    run: async () => 0,
  };
  return parseCommandLine(command, words, '');
}

test.each<[string[], object]>([
  [['--no-cache'], { cache: false }],
  [['--no-force'], { force: false }],
  [['--no-overwrite'], { force: false }],
  [['--no-limit'], { 'no-limit': true }],
  [['-v'], { verbose: true }],
  [['-vv'], { 'extra-verbose': true }],
  [['--extra_verbose'], { 'extra-verbose': true }],
  [['--no_limit'], { 'no-limit': true }],
  [['--no_cache'], { cache: false }],
  [['--force=True', '--cache=no'], { force: true, cache: false }],
  [['--force=0', '--no-limit=YES'], { force: false, 'no-limit': true }],
])('parses the flags %j', (words, values) => {
  expect(parseFlags(...words)).toMatchObject(values);
});

test('rejects the negation of an option that takes a value', () => {
  expect(() => parseFlags('--no-verbosity')).toThrow('unknown option --no-verbosity');
});

test.each([
  [['--plot', 'x'], "Other's --plot is not available yet; instead, use draw"],
  [['-p', '--plot'], "Other's -p, --plot are not available yet; instead, use draw"],
  [
    ['--sing', '--what', '-p'],
    "Other's -p is not available yet; instead, use draw\nOther's --sing is not available yet",
  ],
])('rejects the options %j of another program', (words, message) => {
  expect(() => parseFlags(...words)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});

test.each(['REPLACE', 'Replace'])('accepts the choice %s in any case', mode => {
  expect(parse(['a', 'b', '--mode', mode])).toMatchObject({ mode: 'replace' });
});

test.each(['single_turn', 'single-turn', 'Single-Turn'])(
  'accepts the choice %s with dashes or underscores',
  type => {
    const command = {
      usage: '',
      examples: [],
      optionGroups: [
        { title: 'Options', options: { type: option('TYPE', 'Type', { choices: ['single_turn'] }) } },
      ],
      run: async () => 0,
    };
    expect(parseCommandLine(command, ['--type', type], '')).toMatchObject({ type: 'single_turn' });
  },
);

test.each(['VIDEO', 'vi-deo'])('refuses the choice %s of another program with what to use instead', type => {
  const unavailable = { program: 'Other', values: ['video', 'vi_deo'], instead: 'use --type text' };
  const command = {
    usage: '',
    examples: [],
    optionGroups: [
      {
        title: 'Options',
        options: { type: option('TYPE', 'Type', { choices: ['text'], unavailableChoices: [unavailable] }) },
      },
    ],
    run: async () => 0,
  };
  expect(() => parseCommandLine(command, ['--type', type], '')).toThrow(
    `Other's value "${type}" of --type is not available yet; instead, use --type text`,
  );
});

test('returns each option under its main name only, and omits options without a value', () => {
  expect(parse(['-r', '5', 'a', 'b'])).toEqual({ rate: '5', mode: 'keep', source: 'a', targets: ['b'] });
});

test.each([
  [['a', 'b', '--rat', '5'], 'unknown option --rat; did you mean --rate?'],
  [['a', 'b', '--password', 'x'], 'unknown option --password; see --help'],
  [['a', 'b', '-x'], 'unknown option -x; see --help'],
  [['a', 'b', '--xxxx', '--yyyy'], 'unknown options --xxxx, --yyyy; see --help'],
  [['a', 'b', '--rate'], '--rate requires a value; see --help'],
  [['a', 'b', '-r'], '-r requires a value; see --help'],
  [['a', 'b', '--include'], '--include requires a value; see --help'],
  [['a', 'b', '--header', '--json'], '--header requires a value; see --help'],
  [['a', 'b', '--mode', 'merge'], 'invalid --mode "merge": expected one of replace, keep'],
  [['a', 'b', '--rate', '1', '-r', '2'], '--rate is set 2 times, to "1" and "2"; expected one value'],
  [['a', 'b', '--token', 's1', '--token', 's2'], '--token is set 2 times; expected one value'],
  [['a', 'b', '--json', '--junit'], 'cannot use both --json and --junit'],
  [['a', 'b', '--junit', '--github'], 'cannot use both --junit and --github'],
  [['a'], 'missing TARGET; expected files copy [options] SOURCE TARGET...; see --help'],
  [[], 'missing SOURCE; expected files copy [options] SOURCE TARGET...; see --help'],
])('rejects %j', (words, message) => {
  expect(() => parse(words)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});

describe('flags with a value', () => {
  test.each([
    ['--quiet=on', 'invalid --quiet "on"'],
    ['--quiet=2', 'invalid --quiet "2"'],
    ['--quiet=', 'invalid --quiet ""'],
    ['-f=on', 'invalid -f "on"'],
  ])('rejects %s', (word, message) => {
    expect(() => parse(['a', 'b', word])).toThrow(`${message}: expected true or false`);
  });

  test('ignores the words of a child command', () => {
    const raw = parseCommandLine(
      watchCommand,
      ['--interval', '1', '--', 'load', '--quiet=yes'],
      'files watch',
    );
    expect(raw).toEqual({ interval: '1' });
  });
});

test('rejects words before a child command', () => {
  expect(() => parseCommandLine(watchCommand, ['sleep', '1'], 'files watch')).toThrow(
    'unexpected argument "sleep"; a command must follow --',
  );
});

test('hides unexpected words that may belong to an unquoted secret', () => {
  const command = { ...copyCommand, arguments: [] };
  expect(() => parseCommandLine(command, ['--header', 'Key:', 's3cret'], 'files copy')).toThrow(
    /^unexpected argument \(value hidden\); quote the value of --header$/,
  );
  expect(() => parseCommandLine(command, ['other'], 'files copy')).toThrow('unexpected argument "other"');
});

test.each([
  [['a', 'b'], { ownWords: ['a', 'b'] }],
  [['a', '--', 'b', '--', 'c'], { ownWords: ['a'], childCommand: ['b', '--', 'c'] }],
  [['--'], { ownWords: [], childCommand: [] }],
])('splits %j at --', (words, parts) => {
  expect(splitAtDashes(words)).toEqual(parts);
});
