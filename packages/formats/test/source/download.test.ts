import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { validate } from '../../src/validate/validate.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');
const document = readFileSync(join(samplesFolder, 'server-metrics.json'));
const record = readFileSync(join(samplesFolder, 'server-metrics.jsonl'), 'utf8').split('\n')[0]!;
/** 2,000 records with different times. */
const RECORDS = Array.from({ length: 2000 }, (_, second) =>
  record.replaceAll(
    /(_ns": ?)(\d{19})/g,
    (_match, key, time) => `${key}${BigInt(time) + BigInt(second) * 1_000_000_000n}`,
  ),
).join('\n');

/** Sends the document in chunks of 100 bytes. */
function sendInChunks(response: ServerResponse): void {
  for (let start = 0; start < document.length; start += 100)
    response.write(document.subarray(start, start + 100));
  response.end();
}

/** Resolves when the client closes the connection of /endless. */
let closed: Promise<void>;

const listeners: Readonly<Record<string, RequestListener>> = {
  '/export': (_, response) => sendInChunks(response),
  '/redirect': (_, response) => response.writeHead(302, { location: '/export' }).end(),
  '/redirect-loop': (_, response) => response.writeHead(302, { location: '/redirect-loop' }).end(),
  '/truncated': (_, response) => {
    response.writeHead(200, { 'content-length': document.length });
    response.write(document.subarray(0, 5000), () => response.destroy());
  },
  '/endless': (_, response) => {
    closed = new Promise(resolve => response.on('close', resolve));
    const writeLines = (): void => {
      while (response.write('{"unknown_field": 1}\n'.repeat(1000)));
    };
    response.on('drain', writeLines).on('error', () => {});
    writeLines();
  },
  '/jsonl': (_, response) => response.end(RECORDS),
};

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const listener = listeners[request.url!];
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each(['/export', '/redirect'])('reads %s', async path => {
  const expected = { document: 'server-metrics', valid: true, issues: [] };
  expect(await validate(new URL(path, base))).toMatchObject(expected);
});

it('reads JSON lines in chunks', async () => {
  expect(await validate(new URL(`${base}/jsonl`))).toMatchObject({
    document: 'server-metrics-jsonl',
    valid: true,
  });
});

it.each([
  ['/nothing', 'status 404'],
  ['/redirect-loop', 'redirect count exceeded'],
  ['/truncated', 'other side closed'],
])('reports why %s cannot be read', async (path, reason) => {
  expect(await validate(new URL(`${base}${path}`))).toMatchObject({
    document: 'unknown',
    issues: [{ rule: 'file-unreadable', message: `cannot read ${base}${path}: ${reason}` }],
  });
});

it('reports a port that fetch does not connect to', async () => {
  const { issues } = await validate(new URL('http://127.0.0.1:1/export.json'));
  expect(issues).toMatchObject([
    {
      rule: 'file-unreadable',
      message:
        'cannot read http://127.0.0.1:1/export.json: port 1 is reserved for another protocol; expected the port of an HTTP server',
    },
  ]);
});

it('closes the connection when the reader stops', async () => {
  const { issues } = await validate(new URL(`${base}/endless`));
  expect(issues).toMatchObject([{ rule: 'document-unknown', line: 1 }]);
  await closed;
});
