import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { validate } from '../../packages/formats/dist/index.js';
import { root } from '../source.ts';
import { collectProblems, startChromium } from './chromium.ts';

const POLICY = "default-src 'none'; script-src 'self'";

const files = join(root, 'packages/formats/test/files/valid');
const readSample = (name: string): string => readFileSync(join(files, name), 'utf8');
const metrics = readSample('server-metrics.json');
const profile = readSample('profile-export-1.3.json');

/** Texts of valid and invalid exports, by description. */
const SAMPLES: Readonly<Record<string, string>> = {
  metrics,
  'metrics of another version': metrics.replace('"1.0"', '"7.0"'),
  'metrics with a wrong type': metrics.replace(/"series": \[/, '"series": ["", '),
  'truncated metrics': metrics.slice(0, metrics.length / 2),
  profile,
  'profile with fields that are not numbers': profile.replace(/"avg": [\d.]+/g, '"avg": "much"'),
  'profile with duplicate fields': profile.replace('{', '{"schema_version": "1.3",'),
  'flat metrics': readSample('server-metrics-legacy.json'),
  'JSON lines': readSample('server-metrics.jsonl'),
  'JSON lines, one invalid': `${readSample('server-metrics.jsonl')}{"endpoint_url": 1}\n`,
  CSV: readSample('server-metrics.csv'),
  'CSV without a column': readSample('server-metrics.csv').replaceAll(',p50', ',p49'),
  'the text of a path': '/etc/passwd',
};

/** Script of the page: validates texts, bytes and objects, and writes the results into an element as JSON. */
const SCRIPT = `
  import { validate } from '@org/formats';
  import samples from 'samples';

  const json = value => JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? item + 'n' : item));

  function evalError() {
    try { return new Function('return 1')(); } catch (error) { return error.name; }
  }

  async function run() {
    const results = {};
    for (const [name, text] of Object.entries(samples)) {
      const bytes = new TextEncoder().encode(text);
      let object;
      try { object = JSON.parse(text); } catch {}
      results[name] = {
        text: await validate(text),
        bytes: await validate(bytes),
        strict: await validate(text, { strict: true }),
        object: object && (await validate(object)),
      };
    }
    return { evalError: evalError(), parquet: await validate(new TextEncoder().encode('PAR1')), results };
  }

  function show(found) {
    const element = document.createElement('pre');
    element.id = 'found';
    element.textContent = json(found);
    document.body.append(element);
  }

  run().catch(error => ({ error: error.stack })).then(show);
`;

interface PageResult {
  readonly evalError: string;
  readonly parquet: { readonly issues: readonly { readonly rule: string; readonly message: string }[] };
  readonly results: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Bundles the scripts of the page. Returns their contents by path. */
async function bundleScripts(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: join(root, 'apps/cli') },
    platform: 'browser',
    format: 'esm',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    outdir: '/',
    logLevel: 'error',
    plugins: [
      {
        name: 'samples',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^samples$/ }, () => ({ path: 'samples', namespace: 'samples' }));
          onLoad({ filter: /.*/, namespace: 'samples' }, () => ({
            contents: JSON.stringify(SAMPLES),
            loader: 'json',
          }));
        },
      },
    ],
  });
  return new Map(outputFiles.map(file => [file.path, file.contents]));
}

describe.skipIf(!inject('runs'))('@org/formats in Chromium under a strict Content-Security-Policy', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let pageResult: PageResult;
  let problems: readonly string[];

  beforeAll(async () => {
    const scripts = await bundleScripts();
    server = createServer(({ url }, response) => {
      const script = scripts.get(url ?? '');
      const type = script ? 'text/javascript' : 'text/html; charset=utf-8';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY });
      response.end(script ?? '<!doctype html><script type="module" src="/stdin.js"></script>');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    browser = await startChromium();
    page = await browser.newPage();
    problems = collectProblems(page);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // waitForFunction() evaluates a script, which the policy forbids.
    const element = page.locator('#found');
    await element.waitFor({ state: 'attached', timeout: 60_000 });
    const result = JSON.parse((await element.textContent())!) as PageResult | { readonly error: string };
    if ('error' in result) throw new Error(`the page failed: ${result.error}`);
    pageResult = result;
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('runs without eval', () => {
    expect(pageResult.evalError).toBe('EvalError');
  });

  test.each(Object.entries(SAMPLES))('reports the same issues as Node: %s', async (name, text) => {
    const { text: fromText, bytes, strict, object } = pageResult.results[name]!;
    expect(fromText).toEqual(toPlainJson(await validate(text)));
    expect(bytes).toEqual(toPlainJson(await validate(new TextEncoder().encode(text))));
    expect(strict).toEqual(toPlainJson(await validate(text, { strict: true })));
    if (object) expect(object).toEqual(toPlainJson(await validate(JSON.parse(text) as object)));
    const isValid = /^[^ ]*$|^flat metrics$|^JSON lines$/.test(name);
    expect((fromText as { readonly valid: boolean }).valid).toBe(isValid);
  });

  test('reports that Parquet is not supported in browsers', () => {
    expect(pageResult.parquet.issues).toMatchObject([
      {
        rule: 'file-unreadable',
        message: expect.stringContaining('cannot read files or Parquet in a browser'),
      },
    ]);
  });

  test('causes no errors, warnings or failed requests', () => {
    expect(problems).toEqual([]);
  });
});

/** Returns a value as JSON delivers it to the page. */
function toPlainJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)),
  );
}
