import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { validate } from '../../src/validate/validate.ts';
import { type Cell, CSV_MUTATIONS } from './csvMutations.ts';
import { JSON_MUTATIONS, type JsonMutation, type Outcome } from './jsonMutations.ts';
import { findSite, formatTree, listSites, parseTree } from './jsonTree.ts';
import { createRandom, pick } from './random.ts';

/** Maximum number of places of a document that a mutation is applied to. */
const MAX_PLACES = Number(process.env.MUTATION_PLACES ?? 12);
const folder = process.env.MUTATION_FOLDER ?? join(import.meta.dirname, '../files/valid');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const readTexts = (extension: RegExp) =>
  files
    .filter(name => extension.test(name))
    .map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
const documents = readTexts(/\.jsonl?$/);
const tables = readTexts(/\.csv$/);

/** Reports whether a validator has handled a document as expected. */
async function hasOutcome(text: string, outcome: Outcome): Promise<boolean> {
  const { valid, issues } = await validate(text);
  if (outcome === 'valid') return valid;
  return outcome === 'error' ? !valid : issues.length > 0;
}

test('every unchanged document is valid', async () => {
  for (const { text } of [...documents, ...tables])
    expect(await validate(text)).toMatchObject({ valid: true });
});

/** A mutated document, and where it was mutated. */
interface Mutant {
  readonly place: string;
  readonly create: () => string;
}

/** Validates up to `MAX_PLACES` mutants of each document, and expects that every one has the outcome of the mutation. */
async function checkMutants(
  name: string,
  outcome: Outcome,
  mutantsByDocument: readonly (readonly Mutant[])[],
): Promise<void> {
  const random = createRandom(1);
  const mutants = mutantsByDocument.flatMap(list => pick(list, MAX_PLACES, random));
  const missed: string[] = [];
  for (const { place, create } of mutants) if (!(await hasOutcome(create(), outcome))) missed.push(place);
  if (process.env.MUTATION_FOLDER)
    console.log(`${missed.length} of ${mutants.length} missed: ${name}`, missed.slice(0, 5));
  expect(missed).toEqual([]);
  expect(mutants.length).toBeGreaterThan(0);
}

test.each(JSON_MUTATIONS)('$name: $outcome', async mutation => {
  const { name, outcome, files: names = /./ } = mutation;
  const mutants = documents
    .filter(document => names.test(document.name))
    .map(document => mutateJson(document, mutation));
  await checkMutants(name, outcome, mutants);
});

function mutateJson({ name, text }: { name: string; text: string }, mutation: JsonMutation): Mutant[] {
  const { at: pattern, when = () => true, change } = mutation;
  const lines = name.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text];
  return lines.flatMap((line, at) =>
    listSites(parseTree(line))
      .filter(site => pattern.test(site.text) && when(site))
      .map(({ path }) => ({
        place: `${name} ${path.join('/')}`,
        create: () => {
          const tree = parseTree(line);
          change(findSite(tree, path));
          return lines.with(at, formatTree(tree)).join('\n');
        },
      })),
  );
}

test.each(CSV_MUTATIONS)(
  '$name: $outcome, in CSV',
  async ({ name, outcome, files: names = /./, when, change }) => {
    const mutants = tables
      .filter(table => names.test(table.name))
      .map(table =>
        listCells(table.text)
          .filter(when)
          .map(cell => ({
            place: `${table.name} ${cell.name} ${cell.row}`,
            create: () => replaceSection(table.text, cell.section, change(cell)),
          })),
      );
    await checkMutants(name, outcome, mutants);
  },
);

/** Lists the cells of the sections of a CSV file, which are separated by empty lines. */
function listCells(text: string): Cell[] {
  return splitSections(text).flatMap(section =>
    section.flatMap((row, at) =>
      row.map((cell, column) => ({ section, row: at, column, name: section[0]![column] ?? '', text: cell })),
    ),
  );
}

/** Sections by text, so that a section is the same object each time. */
const sectionsByText = new Map<string, readonly (readonly string[])[][]>();

function splitSections(text: string): readonly (readonly string[])[][] {
  const known = sectionsByText.get(text);
  if (known) return known;
  const sections: string[][][] = [[]];
  const options = { relax_column_count: true, skip_empty_lines: false };
  for (const row of parse(text.slice(getComments(text).length), options) as string[][])
    if (row.length === 1 && row[0] === '') sections.push([]);
    else sections.at(-1)!.push(row);
  sectionsByText.set(text, sections);
  return sections;
}

function replaceSection(
  text: string,
  replaced: readonly (readonly string[])[],
  rows: readonly (readonly string[])[],
): string {
  const sections = splitSections(text)
    .map(section => stringify((section === replaced ? rows : section) as string[][]))
    .join('\n');
  return getComments(text) + sections;
}

/** Returns the lines of comments at the start of AIPerf's files. */
function getComments(text: string): string {
  return /^(?:#.*\r?\n)*/.exec(text)![0];
}
