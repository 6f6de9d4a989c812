import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WORD_TOKENIZER } from './tokenizer.ts';

/** The commit of the revision `main` of all models. */
export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** A Hugging Face hub on this machine, until the end of the test. */
export interface TestHub {
  readonly url: string;
  /** Path and token of each request. */
  readonly requests: { readonly path: string; readonly authorization: string | undefined }[];
  readonly close: () => Promise<void>;
}

/** Files of the models of a hub, as responses. */
type Files = Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>>;

/** Starts a server with files by path; other paths do not exist. */
export async function startHub(files: Files): Promise<TestHub> {
  const requests: TestHub['requests'] = [];
  const server = createServer((request, response) => {
    const path = request.url!;
    requests.push({ path, authorization: request.headers.authorization });
    const respond = files[path] ?? (missing => sendError(missing, 404, 'EntryNotFound'));
    respond(response, request);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>(resolve => server.close(() => resolve()));
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

/** The path of a file of a model. */
export function getHubPath(model: string, file = 'tokenizer.json', revision = 'main'): string {
  return `/${model}/resolve/${revision}/${file}`;
}

/** Sends a file, by default a tokenizer.json. */
export function sendFile(response: ServerResponse, content: unknown = WORD_TOKENIZER, etag = 'a1b2'): void {
  response.setHeader('X-Repo-Commit', COMMIT);
  response.setHeader('ETag', `"${etag}"`);
  response.end(JSON.stringify(content));
}

/** Sends an error as the hub does. */
export function sendError(response: ServerResponse, status: number, code?: string): void {
  if (code !== undefined) response.setHeader('X-Error-Code', code);
  response.statusCode = status;
  response.end();
}
