import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import type { Run } from '@org/analysis';
import { expect, onTestFinished, test } from 'vitest';
import { LivePage, type LiveServer, PortError, startLiveServer } from '../../src/watch/index.ts';
import type { LiveUpdate } from '../../src/watch/liveUpdate.ts';
import { createMetricRun, VLLM_METRICS } from '../support/reportedRuns.ts';

/** A run that a test changes. */
interface TestRun {
  run: Run;
  state: 'profiling' | 'ended';
  writtenMs: number;
  isStarted: boolean;
  reads: number;
}

async function serve(changes: Partial<TestRun> = {}): Promise<[LiveServer, TestRun]> {
  const watched: TestRun = {
    run: createMetricRun(VLLM_METRICS, 'first name'),
    state: 'profiling',
    writtenMs: Date.now(),
    isStarted: true,
    reads: 0,
    ...changes,
  };
  const page = new LivePage(async () => {
    watched.reads++;
    return watched.isStarted ? { ...watched } : undefined;
  });
  const server = await startLiveServer(page, 0);
  onTestFinished(() => server.close().catch(() => {}));
  return [server, watched];
}

/** Opens the events of a page, and returns a function that waits for the next update. */
async function listen(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}events?after=0`, { headers });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const read = async (): Promise<LiveUpdate> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { value, done } = await reader.read();
        if (done) throw new Error('the connection was closed');
        text += value;
        continue;
      }
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) return JSON.parse(data);
    }
  };
  return { response, read, close: () => reader.cancel() };
}

/** Reads updates until one has changed sections. */
async function readChange(read: () => Promise<LiveUpdate>): Promise<LiveUpdate> {
  for (;;) {
    const update = await read();
    if (Object.keys(update.sections).length > 0) return update;
  }
}

test('serves the page of the run, which may connect only to its server', async () => {
  const [{ url }] = await serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{24}\/$/);
  const response = await fetch(url);
  const html = await response.text();
  expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(html).toContain(`content="default-src 'none'; connect-src 'self'; script-src 'sha256-`);
  expect(html).toContain('<h1 id="page-title">first name</h1>');
  expect(html).toContain('Profiling. The figures cover the time so far.');
});

test('serves the report as a file that does not need the server', async () => {
  const [{ url }] = await serve();
  const response = await fetch(`${url}report.html`);
  const html = await response.text();
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="server_metrics_report.html"',
  );
  expect(html).toContain('<h1 id="page-title">first name</h1>');
  expect(html).not.toContain('connect-src');
  expect(html).not.toContain('EventSource');
});

test('answers a HEAD request without a body', async () => {
  const [{ url }] = await serve();
  const response = await fetch(url, { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test.each([
  ['a wrong token', 'GET', '/x/', undefined, 403],
  ['another host', 'GET', '', 'evil.test', 403],
  ['a write', 'POST', '', undefined, 405],
])('refuses %s with one sentence', async (_, method, path, host, status) => {
  const [{ url }] = await serve();
  const target = path === '' ? url : new URL(path, url).href;
  const sent = request(target, { method, ...(host && { headers: { host } }) }).end();
  const [response] = await once(sent, 'response');
  const text = (await response.toArray()).join('');
  expect([response.statusCode, text.trim().split('\n').length]).toEqual([status, 1]);
});

test('sends the changed sections to all browsers, and only those', async () => {
  const [server, watched] = await serve();
  const browsers = await Promise.all([listen(server.url), listen(server.url)]);
  const first = await Promise.all(browsers.map(({ read }) => readChange(read)));
  expect(first[0]!.order).toEqual(Object.keys(first[0]!.sections));
  expect(first[0]!.order).toContain('tiles');
  expect(server.browsers).toBe(2);
  const { 'vllm:generation_tokens': changed, ...others } = VLLM_METRICS;
  watched.run = createMetricRun(others, 'first name');
  watched.writtenMs += 1000;
  const [second] = await Promise.all(browsers.map(({ read }) => readChange(read)));
  expect(changed).toBeDefined();
  expect(Object.keys(second!.sections)).toContain('tiles');
  expect(Object.keys(second!.sections).length).toBeLessThan(first[0]!.order.length);
  expect(second!.version).toBeGreaterThan(first[0]!.version);
  await Promise.all(browsers.map(({ close }) => close()));
  await expect.poll(() => server.browsers).toBe(0);
});

test('names the run that is shown, also if the next run of a sweep follows', async () => {
  const [server, watched] = await serve();
  const { read, close } = await listen(server.url);
  const { order, sections } = await readChange(read);
  expect(order[0]).toBe('page-title');
  expect(sections['page-title']).toBe('<h1 id="page-title">first name</h1>');
  watched.run = createMetricRun(VLLM_METRICS, 'second name');
  watched.writtenMs += 1000;
  const update = await readChange(read);
  expect(update.sections['page-title']).toBe('<h1 id="page-title">second name</h1>');
  await close();
});

test('describes the time between updates, from the cost of the last ones', async () => {
  let writtenMs = Date.now();
  const costs = [
    { cpuMs: 3000, activeMs: 3000 },
    { cpuMs: 300, activeMs: 300 },
    { cpuMs: 400, activeMs: 5000 },
    { cpuMs: 200, activeMs: 2500 },
  ];
  const page = new LivePage(
    async () => {
      writtenMs += 1;
      return { run: createMetricRun(VLLM_METRICS, 'first name'), state: 'profiling', writtenMs };
    },
    () => () => costs.shift()!,
  );
  const described: unknown[] = [];
  while (costs.length > 0) {
    await page.refreshNow();
    const { intervalMs, isBusy } = page.describeStatus();
    described.push([intervalMs, isBusy]);
  }
  expect(described).toEqual([
    [1000, false],
    [1000, false],
    [3000, true],
    [2000, true],
  ]);
});

test('the time between updates follows from those that read new data, or that failed', async () => {
  const run = createMetricRun(VLLM_METRICS, 'first name');
  const start = { run, state: 'profiling', writtenMs: 1 } as const;
  const next = {
    run: createMetricRun(VLLM_METRICS, 'first name'),
    state: 'profiling',
    writtenMs: 2,
  } as const;
  const costs = [1, 3000, 1000, 1, 4000, 4000].map(cpuMs => ({ cpuMs, activeMs: cpuMs }));
  const results = [undefined, start, next, next];
  const page = new LivePage(
    async () => {
      if (costs.length <= 2) throw new Error('broken');
      return results.shift();
    },
    () => () => costs.shift()!,
  );
  const intervals: number[] = [];
  while (costs.length > 0) {
    await page.refreshNow();
    intervals.push(page.describeStatus().intervalMs);
  }
  expect(intervals).toEqual([1000, 1000, 1000, 1000, 2000, 8000]);
});

test('sends nothing again to a browser that connects again', async () => {
  const [{ url }] = await serve();
  const browser = await listen(url);
  const { version } = await readChange(browser.read);
  await browser.close();
  const again = await listen(url, { 'last-event-id': String(version) });
  expect(await again.read()).toMatchObject({ version, sections: {}, data: {} });
  await again.close();
});

test('does not read the run while no browser shows the page', async () => {
  const [server, watched] = await serve();
  const browser = await listen(server.url);
  await expect.poll(() => watched.reads, { timeout: 10_000 }).toBeGreaterThan(1);
  await browser.close();
  await expect.poll(() => server.browsers).toBe(0);
  // An update in flight may still read the run once.
  await new Promise(resolve => setTimeout(resolve, 1500));
  const { reads } = watched;
  await new Promise(resolve => setTimeout(resolve, 2500));
  expect(watched.reads).toBe(reads);
});

test('waits for a run that has not started', async () => {
  const [{ url }, watched] = await serve({ isStarted: false });
  expect(await (await fetch(url)).text()).toContain('The run has not started yet.');
  expect((await fetch(`${url}report.html`)).status).toBe(404);
  watched.isStarted = true;
  await expect
    .poll(async () => await (await fetch(url)).text(), { timeout: 10_000 })
    .toContain('<h1 id="page-title">first name</h1>');
});

test('keeps the last page if the run cannot be read for a moment, and shows the reason', async () => {
  const [{ url }, watched] = await serve();
  const browser = await listen(url);
  await readChange(browser.read);
  Object.defineProperty(watched, 'writtenMs', {
    configurable: true,
    enumerable: true,
    get: () => {
      throw new Error('the disk is gone');
    },
  });
  let text = '';
  while (!text.includes('the disk is gone')) text = (await browser.read()).status.text;
  expect(text).toMatch(/^Profiling\. .* It could not be read again: the disk is gone$/);
  await browser.close();
});

test('sends the final state, and stops when the browsers have the report', async () => {
  const [server, watched] = await serve();
  const browser = await listen(server.url);
  await readChange(browser.read);
  watched.state = 'ended';
  const stopped = server.finish();
  let update = await browser.read();
  while (!update.status.isFinal) update = await browser.read();
  expect(update.status).toMatchObject({ kind: 'ended', text: 'The run has ended. This is its final state.' });
  expect((await fetch(`${server.url}report.html`)).status).toBe(200);
  await stopped;
  await expect(fetch(server.url)).rejects.toThrow();
});

test('names a port that is in use, and what to do', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void blocker.close());
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  const started = startLiveServer(new LivePage(async () => undefined), port);
  await expect(started).rejects.toThrow(PortError);
  await expect(started).rejects.toThrow(
    `port ${port} is in use; choose another port, or 0 for any free port`,
  );
});
