/**
 * Runs a receiver of pushes in a separate process, with minimal CPU use: it accepts what is sent to any path, responds after
 * two seconds at `/late`, and never at `/slow`. Prints its URL as its first line.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/slow') return;
  const delayMs = request.url === '/late' ? 2000 : 0;
  request.on('end', () => {
    // The count of a receiver of remote write 2.0, which is at least the number of samples.
    const headers = { 'x-prometheus-remote-write-samples-written': '1000000' };
    setTimeout(() => response.writeHead(200, headers).end(), delayMs);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
