import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { validate } from '../../src/validate/validate.ts';

const files = join(import.meta.dirname, '../files/valid');
const document = readFileSync(join(files, 'server-metrics.json'));
const record = readFileSync(join(files, 'server-metrics.jsonl'), 'utf8').split('\n')[0]!;

/** Sends the body in chunks. */
function sendInChunks(response: ServerResponse): void {
  for (let at = 0; at < document.length; at += 100) response.write(document.subarray(at, at + 100));
  response.end();
}

/** True if the client closed the connection early. */
let isClosed: Promise<void>;

const pages: Readonly<Record<string, RequestListener>> = {
  '/export': (_, response) => sendInChunks(response),
  '/moved': (_, response) => response.writeHead(302, { location: '/export' }).end(),
  '/circle': (_, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-length': document.length });
    response.write(document.subarray(0, 5000), () => response.destroy());
  },
  '/endless': (_, response) => {
    isClosed = new Promise(resolve => response.on('close', resolve));
    const more = (): void => {
      while (response.write('{"neither": 1, "nor": 2}\n'.repeat(1000)));
    };
    response.on('drain', more).on('error', () => {});
    more();
  },
  '/many': (_, response) => response.end(`${record}\n`.repeat(2000)),
};

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[request.url!];
    if (page) page(request, response);
    else response.writeHead(404).end('not here');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it.each(['/export', '/moved'])('reads %s, as a URL or its text', async page => {
  const expected = { document: 'server-metrics', valid: true, issues: [] };
  expect(await validate(new URL(page, base))).toMatchObject(expected);
  expect(await validate(`${base}${page}`)).toMatchObject(expected);
});

it('reads JSON lines in chunks', async () => {
  expect(await validate(`${base}/many`)).toMatchObject({ document: 'server-metrics-jsonl', valid: true });
});

it.each([
  ['/nothing', 'status 404'],
  ['/circle', 'redirect count exceeded'],
  ['/cut', 'other side closed'],
])('reports why %s cannot be read', async (page, reason) => {
  expect(await validate(`${base}${page}`)).toMatchObject({
    document: 'unknown',
    issues: [{ rule: 'file-unreadable', message: `cannot read ${base}${page}: ${reason}` }],
  });
});

it('reports a refused connection', async () => {
  const { issues } = await validate('http://127.0.0.1:1/export.json');
  expect(issues).toMatchObject([
    { rule: 'file-unreadable', message: expect.stringMatching(/ECONNREFUSED|bad port/) },
  ]);
});

it('closes the connection when the reader stops', async () => {
  const { issues } = await validate(`${base}/endless`);
  expect(issues).toMatchObject([{ rule: 'document-unknown', line: 1 }]);
  await isClosed;
});
