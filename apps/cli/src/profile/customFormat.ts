import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CustomFormat, EndpointName } from '@org/loadgen';
import type { RequestPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import type { RawOptions } from '@org/terminal/program';

/** Templates with a name in AIPerf. */
const NAMED_TEMPLATES: Readonly<Record<string, string>> = {
  'nv-embedqa': '{"text": {{ texts|tojson }}}',
};

/** Maximum size of a file with a template, in bytes. */
const MAX_TEMPLATE_BYTES = 1 << 20;

/**
 * Separates the template and the query of the APIs `raw` and `template` from the other fields of --extra-inputs. Throws
 * `UsageError` if the template is missing.
 */
export function readCustomFormat(
  endpoint: EndpointName,
  fields: RequestPlan['extraInputs'],
  cwd: string,
): Pick<RequestPlan, 'extraInputs' | 'format'> {
  if (endpoint !== 'raw' && endpoint !== 'template') return { extraInputs: fields };
  const { payload_template: source, response_field: query, ...extraInputs } = fields;
  const template = endpoint === 'template' ? readTemplate(source, cwd) : undefined;
  if (query !== undefined && typeof query !== 'string')
    throw new UsageError(
      `invalid --extra-inputs response_field ${JSON.stringify(query)}; expected a JMESPath query`,
    );
  const format: CustomFormat = {
    ...(template === undefined ? {} : { template }),
    // AIPerf's value for a query that is not set.
    ...(query === undefined || (query === 'text' && endpoint === 'template') ? {} : { responseField: query }),
  };
  return { extraInputs, format };
}

/** Reads a template: its name, the path of a file, or the template itself. */
function readTemplate(source: unknown, cwd: string): string {
  // A template that is JSON without expressions has been parsed.
  const text = typeof source === 'object' && source !== null ? JSON.stringify(source) : source;
  if (typeof text !== 'string' || text === '')
    throw new UsageError(
      `--endpoint-type template requires --extra-inputs 'payload_template:TEMPLATE', such as payload_template:'{"text": {{ text|tojson }}}'`,
    );
  const named = Object.hasOwn(NAMED_TEMPLATES, text) ? NAMED_TEMPLATES[text] : undefined;
  return named ?? readTemplateFile(resolve(cwd, text)) ?? text;
}

/** Returns the contents of a file; undefined without a file. */
function readTemplateFile(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_TEMPLATE_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** Reads --per-chunk-usage. Throws `UsageError` if the API does not support it, or if the counts are not used. */
export function readChunkUsage(raw: RawOptions, endpoint: EndpointName): boolean {
  if (raw['per-chunk-usage'] !== true) return false;
  if (endpoint !== 'chat') throw new UsageError('--per-chunk-usage requires --endpoint-type chat');
  if (raw.streaming !== true) throw new UsageError('--per-chunk-usage requires --streaming');
  if (raw['use-server-token-count'] !== true && raw['token-count'] !== 'server')
    throw new UsageError('--per-chunk-usage requires --use-server-token-count');
  return true;
}
