import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The structure of the files in a folder: the paths of all fields, the headers of tables, and the ends of lines. */
export function describeStructure(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
  const lines = files.flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name);
    const label = path.slice(folder.length + 1);
    return [label, ...describeFile(path).map(line => `${label} ${line}`)];
  });
  return new Set(lines);
}

function describeFile(path: string): string[] {
  if (/\.(?:json|jsonl|csv)$/.test(path)) {
    const text = readFileSync(path, 'utf8').replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
    return [describeFormat(text), ...describeText(path, text)];
  }
  return [];
}

function describeFormat(text: string): string {
  return `format: ${text.includes('\r\n') ? 'CRLF' : 'LF'}, ${text.endsWith('\n') ? 'with' : 'without'} a line end at its end`;
}

function describeText(path: string, text: string): string[] {
  if (path.endsWith('.json')) return listPaths(JSON.parse(text));
  if (path.endsWith('.csv')) return listHeaders(text);
  const records = text.split('\n').filter(line => line !== '');
  return records.flatMap(line => listPaths(JSON.parse(line)));
}

/** Lists the paths of all fields. All items of a list have the same path. */
function listPaths(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const memberPath = Array.isArray(value) ? `${path}[]` : `${path}.${name}`;
    return [memberPath, ...listPaths(member, memberPath)];
  });
}

/** Lists the header of each section of a CSV file. Sections are separated by empty lines. */
function listHeaders(text: string): string[] {
  const lines = text.split(/\r?\n/).filter(line => !line.startsWith('#'));
  return lines
    .filter((line, index) => line !== '' && (lines[index - 1] ?? '') === '')
    .map(line => `header: ${line}`);
}
