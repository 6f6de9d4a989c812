import type { RunDocument } from '@org/discovery/config';
import { parseScalar } from '@org/terminal/userFile';
import { isMapping, type RunFileReader } from './field.ts';

/** Keys with templates that are rendered for each request, or when files are written. */
const RAW_KEYS = ['template', 'body', 'payload_template', 'payloadTemplate', 'user_files', 'userFiles'];

/**
 * Renders the templates of a run file; their problems are added to the reader. The template engine is loaded only if the
 * file has templates.
 */
export async function renderRun(
  { value }: RunDocument,
  reader: RunFileReader,
): Promise<Readonly<Record<string, unknown>>> {
  if (!/\{\{|\{%/.test(JSON.stringify(value))) return value;
  const { renderDocument } = await import('@org/template');
  const benchmark = isMapping(value.benchmark) ? value.benchmark : {};
  const { document, problems } = renderDocument({
    document: value,
    variables: isMapping(value.variables) ? value.variables : {},
    values: nameItems({ ...value, ...benchmark, benchmark }),
    rawKeys: RAW_KEYS,
    parseText: parseScalar,
  });
  for (const { path, message } of problems) reader.report(path, `has an invalid template: ${message}`);
  return document as Readonly<Record<string, unknown>>;
}

/** Converts lists of mappings with names to mappings by name, so that templates can refer to `phases.profiling.rate`. */
function nameItems(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value as object).map(([key, child]) => [key, nameChildren(child)]),
  );
}

function nameChildren(value: unknown): unknown {
  if (isMapping(value)) return nameItems(value);
  if (!Array.isArray(value) || !value.every(item => isMapping(item) && typeof item.name === 'string'))
    return value;
  return Object.fromEntries(value.map(item => [String(item.name), nameItems(item)]));
}
