/**
 * A server with minimal CPU use, in a separate process. Only the path and the content length of a request are
 * read. The path selects the response:
 * - `/plain`: a small JSON response
 * - `/flood/N`: a stream of N chunks as fast as the connection accepts them
 * - `/paced/N/US`: a stream of N chunks, one every US microseconds. The text of each chunk is the time at which the
 *   server writes the chunk, in nanoseconds on the system's monotonic clock.
 * - `/calm/N/US`: like `/paced`, but the server sleeps for a millisecond between writes, so that other processes can
 *   use the core.
 *
 * Prints its URL as its first line.
 */
import { createServer, type Socket } from 'node:net';
import { argv } from 'node:process';

const HEAD_PLAIN = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const HEAD_STREAM =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const JSON_RESPONSE = JSON.stringify({
  id: 'chatcmpl-0',
  object: 'chat.completion',
  model: 'm',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'four words of answer' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 },
});
const PLAIN = `${HEAD_PLAIN}content-length: ${JSON_RESPONSE.length}\r\n\r\n${JSON_RESPONSE}`;
const DONE = `${formatChunk('data: [DONE]\n\n')}0\r\n\r\n`;
/** Number of chunks per socket write of `/flood`. */
const CHUNKS_PER_WRITE = 16;

function formatChunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

function formatEvent(text: string): string {
  const head =
    '{"id":"chatcmpl-0000000000000000","object":"chat.completion.chunk","created":1767225600,"model":"m"';
  return formatChunk(
    `data: ${head},"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]}\n\n`,
  );
}

/** A stream with scheduled writes. Times are values of `performance.now()`, in milliseconds. */
interface PacedStream {
  readonly socket: Socket;
  readonly intervalMs: number;
  remainingChunks: number;
  nextMs: number;
}

const paced = new Set<PacedStream>();
let isPacing = false;
let isCalm = false;

function writePacedChunks(): void {
  const now = performance.now();
  for (const stream of paced) {
    if (stream.nextMs > now) continue;
    stream.nextMs += stream.intervalMs;
    stream.remainingChunks -= 1;
    stream.socket.write(formatEvent(`${process.hrtime.bigint()} `));
    if (stream.remainingChunks > 0 && !stream.socket.destroyed) continue;
    stream.socket.write(DONE);
    paced.delete(stream);
  }
  isPacing = paced.size > 0;
  if (isPacing && isCalm) setTimeout(writePacedChunks, 1);
  else if (isPacing) setImmediate(writePacedChunks);
}

function startPaced(socket: Socket, count: number, microseconds: number): void {
  const intervalMs = microseconds / 1000;
  // Streams start at random offsets within the interval, like the streams of many independent clients.
  const nextMs = performance.now() + intervalMs * (1 + Math.random());
  socket.write(HEAD_STREAM);
  paced.add({ socket, intervalMs, remainingChunks: count, nextMs });
  if (!isPacing) {
    isPacing = true;
    setImmediate(writePacedChunks);
  }
}

const FLOOD_CHUNK = formatEvent('word ');

function startFlood(socket: Socket, count: number): void {
  let remainingChunks = count;
  const write = (): void => {
    while (remainingChunks > 0 && !socket.destroyed) {
      const batch = Math.min(CHUNKS_PER_WRITE, remainingChunks);
      remainingChunks -= batch;
      if (!socket.write(FLOOD_CHUNK.repeat(batch))) {
        socket.once('drain', write);
        return;
      }
    }
    socket.write(DONE);
  };
  socket.write(HEAD_STREAM);
  write();
}

function respond(socket: Socket, head: string): void {
  const [, kind, count, microseconds] = head.split(' ')[1]!.split('/');
  isCalm = kind === 'calm';
  if (kind === 'paced' || kind === 'calm') startPaced(socket, Number(count), Number(microseconds));
  else if (kind === 'flood') startFlood(socket, Number(count));
  else socket.write(PLAIN);
}

const server = createServer({ noDelay: true }, socket => {
  let pending = '';
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('data', (text: string) => {
    pending += text;
    for (;;) {
      const end = pending.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, end))?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      const head = pending.slice(0, end);
      pending = pending.slice(end + 4 + length);
      respond(socket, head);
    }
  });
});

server.listen(Number(argv[2] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}`);
});
