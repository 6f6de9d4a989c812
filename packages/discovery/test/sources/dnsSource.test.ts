import { promises as dns } from 'node:dns';
import { expect, test } from 'vitest';
import { DnsSource, type NameResolver } from '../../src/sources/dnsSource.ts';
import { type SrvRecord, startDnsServer } from './dnsServer.ts';
import { SourceReader } from './sourceReader.ts';

const REFRESH_MS = 20;

/** A resolver that returns the addresses of each query in turn, then the last ones. */
function createResolver(...answers: (readonly string[])[]): NameResolver {
  return {
    lookup: async () => (answers.length > 1 ? answers.shift()! : answers[0]!),
    resolveSrv: async () => [],
  };
}

test('resolves the name again, and yields changed addresses', async () => {
  const resolver = createResolver(['10.0.0.2', '10.0.0.1'], ['10.0.0.1', '10.0.0.2'], ['10.0.0.3']);
  const url = 'http://vllm.llm.svc:8000';
  const reader = new SourceReader(
    new DnsSource({ records: 'address', url, refreshMs: REFRESH_MS, resolver }),
  );
  expect(await reader.nextUrls()).toEqual(['http://10.0.0.1:8000/metrics', 'http://10.0.0.2:8000/metrics']);
  expect(await reader.nextUrls()).toEqual(['http://10.0.0.3:8000/metrics']);
});

test.each([
  ['http://h:1', ['10.0.0.1', 'fd00::1'], ['http://10.0.0.1:1/metrics']],
  ['http://h:1', ['fd00::1'], ['http://[fd00::1]:1/metrics']],
  ['https://h:1/custom', ['10.0.0.1'], ['https://10.0.0.1:1/custom']],
  ['http://h:80', ['10.0.0.1'], ['http://10.0.0.1/metrics']],
])('%s with %j', async (url, addresses, expected) => {
  const resolver = createResolver(addresses);
  const reader = new SourceReader(
    new DnsSource({ records: 'address', url, refreshMs: REFRESH_MS, resolver }),
  );
  expect(await reader.nextUrls()).toEqual(expected);
});

test('resolves localhost with the system', async () => {
  const source = new DnsSource({ records: 'address', url: 'http://localhost:8000', refreshMs: 1000 });
  expect(await new SourceReader(source).nextUrls()).toEqual(['http://127.0.0.1:8000/metrics']);
});

test('keeps the credentials of the URL', async () => {
  const resolver = createResolver(['10.0.0.1']);
  const url = 'http://me:pw@h:1';
  const source = new DnsSource({ records: 'address', url, refreshMs: REFRESH_MS, resolver });
  expect(source.name).toBe('dns "h:1"');
  expect(await new SourceReader(source).next()).toMatchObject([
    { url: 'http://10.0.0.1:1/metrics', credentials: { user: 'me', password: 'pw' } },
  ]);
});

test('reads SRV records of a name server, and keeps the last list if the name no longer exists', async () => {
  let records: readonly SrvRecord[] = [
    { target: 'b.example', port: 9001 },
    { target: 'a.example', port: 9000 },
  ];
  const resolver = new dns.Resolver();
  resolver.setServers([await startDnsServer(() => records)]);
  const names: NameResolver = {
    lookup: async () => [],
    resolveSrv: name => resolver.resolveSrv(name),
  };
  const url = 'http://_metrics._tcp.vllm.example';
  const reader = new SourceReader(
    new DnsSource({ records: 'srv', url, refreshMs: REFRESH_MS, resolver: names }),
  );
  expect(await reader.nextUrls()).toEqual(['http://a.example:9000/metrics', 'http://b.example:9001/metrics']);
  records = [];
  const next = reader.nextUrls();
  expect(await reader.waitForProblem()).toBe(
    'cannot resolve the SRV records of "_metrics._tcp.vllm.example": host not found',
  );
  records = [{ target: 'c.example', port: 9002 }];
  expect(await next).toEqual(['http://c.example:9002/metrics']);
});

test('reports a name that does not exist', async () => {
  const resolver: NameResolver = {
    lookup: async () => {
      throw Object.assign(new Error('x'), { code: 'ENOTFOUND' });
    },
    resolveSrv: async () => [],
  };
  const source = new DnsSource({ records: 'address', url: 'http://none:1', refreshMs: 1000, resolver });
  await expect(new SourceReader(source).next()).rejects.toThrow(
    'cannot resolve the name "none": host not found',
  );
});
