import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request received by a raw server. */
export interface ReceivedRequest {
  readonly head: string;
  readonly body: string;
  /** Number of earlier requests on the same connection. */
  readonly earlierRequests: number;
}

/** Responds by writing to the socket. */
export type Responder = (socket: Socket, request: ReceivedRequest) => void;

/**
 * Starts a server that writes arbitrary bytes and is closed at the end of the test. Returns its URL and the requests
 * it receives.
 */
export async function startRawServer(
  respond: Responder,
): Promise<{ url: string; received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, socket => {
    let pending = '';
    let earlierRequests = 0;
    sockets.add(socket);
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (text: string) => {
      pending += text;
      for (;;) {
        const end = pending.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, end))?.[1] ?? 0);
        const bytesAfterHead = Buffer.from(pending.slice(end + 4));
        if (end < 0 || bytesAfterHead.length < length) return;
        const request = {
          head: pending.slice(0, end),
          body: bytesAfterHead.subarray(0, length).toString(),
          earlierRequests,
        };
        pending = bytesAfterHead.subarray(length).toString();
        earlierRequests += 1;
        received.push(request);
        respond(socket, request);
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Returns the head of a chunked response. */
export function formatHead(status = '200 OK', type = 'text/event-stream', moreHeaders = ''): string {
  return `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n${moreHeaders}\r\n`;
}

/** Returns a chunk of a chunked response. */
export function formatChunk(data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Returns an event of a chat stream. */
export function formatChatEvent(content: string, moreFields: object = {}): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...moreFields })}\n\n`;
}

/** The last event of a stream. */
export const DONE = 'data: [DONE]\n\n';
/** The last chunk of a chunked response. */
export const END: string = '0\r\n\r\n';

/** Returns a complete response with a content-length. */
export function formatResponse(
  status: string,
  type: string,
  body: string | Buffer,
  moreHeaders = '',
): Buffer {
  const bytes = Buffer.from(body);
  const lines = `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n${moreHeaders}\r\n`;
  return Buffer.concat([Buffer.from(lines), bytes]);
}

/** The body of a chat response without streaming. */
export const CHAT_BODY: string = JSON.stringify({ choices: [{ message: { content: 'hi' } }] });

/** Starts a server that responds to every request with a stream of two tokens. */
export const startTokenServer = (): ReturnType<typeof startRawServer> =>
  startRawServer(socket => {
    socket.write(formatHead());
    socket.write(formatChunk(formatChatEvent('a') + formatChatEvent('b') + DONE));
    socket.write(END);
  });
