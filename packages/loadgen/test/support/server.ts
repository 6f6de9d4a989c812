import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request as a raw server sees it. */
export interface Seen {
  readonly head: string;
  readonly body: string;
  /** Requests that came over the same connection before. */
  readonly before: number;
}

/** Answers by writing to the socket whatever it likes. */
export type Answering = (socket: Socket, seen: Seen) => void;

/** A server that is free to do everything wrong; closed when the test is over. Returns its URL and what it saw. */
export async function rawServer(answer: Answering): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, socket => {
    let pending = '';
    let before = 0;
    sockets.add(socket);
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (text: string) => {
      pending += text;
      for (;;) {
        const end = pending.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, end))?.[1] ?? 0);
        const rest = Buffer.from(pending.slice(end + 4));
        if (end < 0 || rest.length < length) return;
        const one = { head: pending.slice(0, end), body: rest.subarray(0, length).toString(), before };
        pending = rest.subarray(length).toString();
        before += 1;
        seen.push(one);
        answer(socket, one);
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Head of a chunked answer. */
export function head(status = '200 OK', type = 'text/event-stream', more = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n${more}\r\n`;
}

/** One chunk of a chunked answer. */
export function chunk(data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** An event of a chat stream. */
export function said(content: string, more: object = {}): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';
export const END: string = '0\r\n\r\n';

/** A whole answer that is not chunked. */
export function whole(status: string, type: string, body: string | Buffer, more = ''): Buffer {
  const bytes = Buffer.from(body);
  const lines = `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n${more}\r\n`;
  return Buffer.concat([Buffer.from(lines), bytes]);
}
