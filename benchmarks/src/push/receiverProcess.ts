/**
 * Runs a receiver of pushes in a separate process, with minimal CPU use: it accepts what is sent to any path, and does not
 * respond at `/slow`. Prints its URL as its first line.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/slow') return;
  request.on('end', () => {
    // The count of a receiver of remote write 2.0, which is at least the number of samples.
    response.writeHead(200, { 'x-prometheus-remote-write-samples-written': '1000000' }).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
