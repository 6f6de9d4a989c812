import { expect, test } from 'vitest';
import { RunClock } from '../../src/clock.ts';
import { ConnectionPool } from '../../src/http/connectionPool.ts';
import { clock } from '../support/load.ts';

const A = 'http://127.0.0.1:1';
const B = 'http://127.0.0.1:2';

function createPool(): ConnectionPool {
  return new ConnectionPool(new RunClock(clock), { connectTimeoutMs: 1000, verifyTls: true });
}

test('takes the most recently used connection of an origin', () => {
  const pool = createPool();
  const [first, second] = [pool.take(A), pool.take(A)];
  expect(second).not.toBe(first);
  pool.release(first);
  pool.release(second);
  expect(pool.take(B)).not.toBe(second);
  expect([pool.take(A), pool.take(A)]).toEqual([second, first]);
  pool.close();
});

test('keeps the connection of a session for this session', () => {
  const pool = createPool();
  const connection = pool.take(A, 'one');
  pool.release(connection, 'one');
  expect(pool.take(A, 'two')).not.toBe(connection);
  expect(pool.take(A)).not.toBe(connection);
  expect(pool.take(A, 'one')).toBe(connection);
  pool.release(connection, 'one');
  pool.closeSession('one');
  expect(pool.take(A, 'one')).not.toBe(connection);
  pool.close();
});

test('does not reuse a discarded connection', () => {
  const pool = createPool();
  const connection = pool.take(A);
  pool.discard(connection);
  pool.release(connection);
  expect(pool.take(A)).not.toBe(connection);
  pool.close();
});

test('does not reuse an idle connection that was discarded', () => {
  const pool = createPool();
  const [connection, other] = [pool.take(A), pool.take(A)];
  pool.release(other);
  pool.release(connection);
  pool.discard(connection);
  expect(pool.take(A)).toBe(other);
  expect(pool.take(A)).not.toBe(connection);
  pool.close();
});
