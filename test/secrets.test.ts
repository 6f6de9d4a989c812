import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runServelens } from './servelens.ts';
import { getPemPath, readCertificateOptions, respondWith, startServer, type TestServer } from './server.ts';
import { root } from './source.ts';

/** Secrets by the place where they are planted. Each value is unique. */
const SECRETS = {
  urlPassword: 'pw-of-the-url-4711',
  urlQuery: 'query-key-of-the-url-4712',
  fileUrlPassword: 'pw-of-a-url-in-the-file-4713',
  header: 'header-of-an-option-4714',
  plainHeader: 'nameless-header-of-an-option-4715',
  fileHeader: 'header-of-the-file-4716',
  bearerFile: 'bearer-in-a-file-4717',
  basicFile: 'basic-in-a-file-4718',
  yamlToken: 'token-in-yaml-4719',
  environment: 'password-in-the-environment-4720',
  passwordFile: 'password-in-a-file-4721',
  childKey: 'key-of-the-command-4722',
  childHeader: 'header-of-the-command-4723',
  childUrl: 'pw-in-a-url-of-the-command-4724',
  redirect: 'token-of-a-redirect-4725',
  apiKey: 'sk-of-the-requests-4726',
  extraInput: 'extra-input-of-a-name-4727',
  nestedInput: 'nested-extra-input-4728',
  sourceHeader: 'header-of-a-source-4729',
  sourceUrl: 'pw-in-the-url-of-a-source-4730',
  clientKey: readFileSync(getPemPath('client.key'), 'utf8').split('\n')[1]!,
} as const;

/** Texts to search for: each secret as plain text and in Base64 (Basic authentication), and truncated tokens. */
const SEARCH_TEXTS: readonly (readonly [name: string, text: string])[] = [
  ...Object.entries(SECRETS),
  ...Object.entries(SECRETS).map(
    ([name, secret]) => [`${name} in Base64`, encodeBase64(`me:${secret}`)] as const,
  ),
  ['a truncated bearer token', SECRETS.bearerFile.slice(0, 12)],
  ['a truncated token in YAML', SECRETS.yamlToken.slice(0, 10)],
];

function encodeBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const formatEcho = ({ headers, url = '' }: IncomingMessage): string =>
  JSON.stringify([headers.authorization, headers['x-api-key'], headers['x-custom'], url]);

/** Servers that echo the request, each in a different part of the response. */
const ECHO_SERVERS: Readonly<Record<string, (count: number) => RequestListener>> = {
  'in the body of a 401': () => (request, response) =>
    respondWith(formatEcho(request), 401)(request, response),
  'in the reason phrase of a status': () => request =>
    void request.socket.end(`HTTP/1.1 401 ${formatEcho(request)}\r\nContent-Length: 0\r\n\r\n`),
  'as an invalid first line': () => (request, response) =>
    respondWith(`Authorization: ${request.headers.authorization}\n${formatEcho(request)}\n`)(
      request,
      response,
    ),
  'at the end of the quoted excerpt': () => (request, response) =>
    respondWith(`${'x'.repeat(178)} ${request.headers.authorization}\n`)(request, response),
  'as an invalid line in a later scrape': count => (request, response) =>
    respondWith(count === 0 ? 'a 1\n' : `a 1\n${request.headers.authorization} ${formatEcho(request)}\n`)(
      request,
      response,
    ),
  'as an error page in a later scrape': count => (request, response) =>
    respondWith(count === 0 ? 'a 1\n' : `<b>${formatEcho(request)}</b>\n`)(request, response),
  'as a content-encoding': () => (request, response) =>
    respondWith('a 1\n', 200, { 'content-encoding': `${request.headers.authorization}` })(request, response),
  'in its metrics': () => (request, response) =>
    respondWith(`# HELP a ${request.headers.authorization}\na{auth="${request.headers.authorization}"} 1\n`)(
      request,
      response,
    ),
  'instead of HTTP': () => request => void request.socket.end(`${formatEcho(request)}\r\n`),
  'in a redirect to another host': () => (request, response) =>
    respondWith('', 302, {
      location: `http://me:${SECRETS.redirect}@other.example/?token=${SECRETS.redirect}`,
    })(request, response),
  'in a redirect within the host': () => (request, response) => {
    const isFirst = request.url?.startsWith('/metrics') === true;
    const location = `/x/${'y'.repeat(3)}?s=${SECRETS.redirect}`;
    (isFirst ? respondWith('', 302, { location }) : respondWith('<html>', 404))(request, response);
  },
};

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
const getPath = (name: string): string => join(folder, name);
const servers: TestServer[] = [];
/** Output of all commands, by command. */
const outputs: [command: string, text: string][] = [];
let ports: number[] = [];
let tlsPort = 0;

const run = async (name: string, args: readonly string[]): Promise<number | null> => {
  const { code, stdout, stderr } = await runServelens(args, { cwd: folder, env: ENV });
  outputs.push([name, stdout + stderr]);
  return code;
};

const ENV = {
  PLANTED: SECRETS.environment,
  AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0.1',
};

beforeAll(async () => {
  for (const createListener of Object.values(ECHO_SERVERS)) {
    const counts = new Map<string, number>();
    servers.push(
      await startServer((request, response) => {
        // Each run and endpoint has its own path, so that repeated messages are not suppressed.
        const key = `${request.headers.authorization} ${request.url}`;
        const count = counts.get(key) ?? 0;
        counts.set(key, count + 1);
        createListener(count)(request, response);
      }),
    );
  }
  ports = servers.map(({ port }) => port);
  const tls = {
    ...readCertificateOptions('server'),
    ca: readFileSync(getPemPath('ca.pem')),
    requestCert: true,
  };
  const tlsServer = await startServer(
    (request, response) => respondWith(formatEcho(request), 403)(request, response),
    tls,
  );
  servers.push(tlsServer);
  tlsPort = tlsServer.port;
  writeFileSync(getPath('bearer'), SECRETS.bearerFile);
  writeFileSync(getPath('basic'), `me:${SECRETS.basicFile}\n`);
  writeFileSync(getPath('password'), SECRETS.passwordFile);
  writeFileSync(getPath('config.yaml'), createConfig(''));
  writeFileSync(getPath('killed.yaml'), createConfig('/killed'));
});

afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Creates a configuration file with every combination of echo server and authentication. Each endpoint has its
 * own path.
 */
function createConfig(prefix: string): string {
  const credentials = [
    `bearer_token: ${SECRETS.yamlToken}`,
    'bearer_token_file: bearer',
    'basic_auth_file: basic',
    `basic_auth: { username: me, password: "\${PLANTED}" }`,
    'basic_auth: { username: me, password_file: password }',
    `headers: { X-Api-Key: ${SECRETS.fileHeader} }`,
  ];
  const entries = ports.flatMap(port =>
    credentials.map(
      (credential, i) => `  - url: http://localhost:${port}${prefix}/${i}/metrics\n    ${credential}`,
    ),
  );
  const withUser = ports.map(
    port => `  - url: http://me:${SECRETS.fileUrlPassword}@localhost:${port}${prefix}/user/metrics`,
  );
  const tls = `  - url: https://localhost:${tlsPort}\n    tls: { ca_file: ${getPemPath('ca.pem')}, cert_file: ${getPemPath('client.pem')}, key_file: ${getPemPath('client.key')} }`;
  return ['targets:', ...entries, ...withUser, tls, ''].join('\n');
}

const CHILD = [
  ...[process.execPath, '-e', 'setTimeout(() => {}, 1500)', '--'],
  ...['--api-key', SECRETS.childKey, '-H', `Authorization: Bearer ${SECRETS.childHeader}`],
  ...['--url', `http://me:${SECRETS.childUrl}@h/v1`],
];
const FORMATS = ['--server-metrics-formats', 'json', 'csv', 'jsonl', 'parquet'];
/** Returns URLs that contain secrets, two for each echo server. */
const listUrlsWithSecrets = (): string[] =>
  ports.flatMap(port => [
    `http://me:${SECRETS.urlPassword}@localhost:${port}/cli/metrics`,
    `http://localhost:${port}/cli/metrics?api_key=${SECRETS.urlQuery}`,
  ]);

/**
 * Searches the output of all commands and all files except the inputs for secrets. Returns their names and
 * locations.
 */
function findSecrets(): string[] {
  const inputs = /^(?:config.yaml|killed.yaml|wrong-\d.yaml|bearer|basic|password)$/;
  const texts: [string, Buffer | string][] = [
    ...listFiles(folder)
      .filter(path => !inputs.test(relative(folder, path)))
      .map((path): [string, Buffer] => [relative(folder, path), readFileSync(path)]),
    ...outputs,
  ];
  return texts.flatMap(([location, text]) =>
    SEARCH_TEXTS.filter(([, secret]) => text.includes(secret)).map(([name]) => `${name} in ${location}`),
  );
}

function listFiles(path: string): string[] {
  const stats = statSync(path);
  // The socket of a killed run has no content.
  if (!stats.isDirectory()) return stats.isFile() ? [path] : [];
  return readdirSync(path).flatMap(name => listFiles(join(path, name)));
}

/** Runs `collect` with a configuration file that uses every type of authentication, and a command with secrets. */
function runWithFile(): Promise<number | null> {
  const args = ['collect', '--config', 'config.yaml', '--artifact-dir', 'file', '--keep-journal', ...FORMATS];
  return run('collect', [...args, '--server-metrics', ...listUrlsWithSecrets(), '--', ...CHILD]);
}

/** Runs `collect` with authentication options, and a command with secrets. */
function runWithOptions(): Promise<number | null> {
  const options = ['--bearer-token-file', 'bearer', '--header', `X-Api-Key: ${SECRETS.header}`];
  const formats = ['-H', `X-Custom: ${SECRETS.plainHeader}`, '--artifact-dir', 'options', ...FORMATS];
  const urls = ports.map(port => `localhost:${port}`);
  const args = ['collect', ...options, ...formats, '--keep-journal', '--server-metrics', ...urls];
  return run('collect with options', [...args, '--', ...CHILD]);
}

/** Starts a run, kills it, recovers it, and prints its summary. Returns the exit codes of `recover` and `read`. */
async function runKilled(): Promise<(number | null)[]> {
  const bin = join(root, 'apps/cli/bin/servelens.js');
  const paths = ['--config', 'killed.yaml', '--artifact-dir', 'killed'];
  const args = [
    'collect',
    ...paths,
    ...FORMATS,
    '--duration',
    '60',
    '--server-metrics',
    ...listUrlsWithSecrets(),
  ];
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { ...process.env, ...ENV },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
  while (!output.includes('reachable') && child.exitCode === null) await sleep(50);
  await sleep(1500);
  child.kill('SIGKILL');
  outputs.push(['a killed run', output]);
  return [await run('recover', ['recover', 'killed']), await run('read', ['read', 'summary', 'killed'])];
}

describe('secrets do not appear', () => {
  let codes: unknown[] = [];
  // Runs are concurrent, because they mostly wait.
  beforeAll(async () => {
    codes = await Promise.all([runWithFile(), runWithOptions(), runKilled()]);
  });

  test('in artifacts of finished, killed and recovered runs', () => {
    expect(codes).toEqual([0, 0, [0, 0]]);
    const { summary } = JSON.parse(readFileSync(getPath('file/server_metrics_export.json'), 'utf8'));
    // Servers echoed the tokens, which were then redacted.
    const errors = JSON.stringify(summary.endpoint_info);
    expect(/Bearer \*{16}/.test(errors), 'a token echoed by a server').toBe(true);
    expect(summary.endpoints_configured).toHaveLength(ports.length * 9 + 1);
    expect(readFileSync(getPath('options/server_metrics_export.json'), 'utf8')).toContain(
      'X-Custom: <redacted>',
    );
    expect(readdirSync(getPath('file'))).toContain('server_metrics.journal');
    expect(readdirSync(getPath('killed'))).toContain('server_metrics_export.json');
    expect(findSecrets()).toEqual([]);
  });

  test('in the files of a profile run whose server echoes the request', async () => {
    const echo = await startServer((request, response) => {
      let body = '';
      request.on('data', chunk => (body += chunk));
      request.on('end', () => {
        const content = `${formatEcho(request)} ${body}`;
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
        const text = JSON.stringify({ choices: [{ message: { role: 'assistant', content } }], usage });
        respondWith(text, 200, { 'content-type': 'application/json' })(request, response);
      });
    });
    const runRequests = (name: string, url: string, options: string[]): Promise<number | null> =>
      run(name, [
        'profile',
        ...['--model', 'm', '--url', url, '--no-server-metrics', '--artifact-dir', name],
        ...['--concurrency', '1', '--request-count', '2', '--warmup-request-count', '1', '--isl', '4'],
        ...['--export-level', 'raw', '--export-outputs-json', ...options],
      ]);
    const host = `127.0.0.1:${echo.port}`;
    const codes = await Promise.all([
      runRequests('requests', `http://${host}`, [
        ...['--api-key', SECRETS.apiKey, '--extra-inputs', `api_key:${SECRETS.extraInput}`],
        ...['--header', `X-Custom: ${SECRETS.plainHeader}`, '--header', `X-Api-Key: ${SECRETS.header}`],
        ...['--extra-inputs', JSON.stringify({ nested: { password: SECRETS.nestedInput } })],
      ]),
      runRequests('url', `http://me:${SECRETS.urlPassword}@${host}`, []),
    ]);
    expect(codes).toEqual([0, 0]);
    const names = readdirSync(getPath('requests'));
    const written = ['inputs.json', 'outputs.json', 'phase_manifest.json', 'profile_export_raw.jsonl'];
    expect(names).toEqual(expect.arrayContaining(written));
    const read = (name: string): string => readFileSync(getPath(`requests/${name}`), 'utf8');
    for (const name of ['outputs.json', 'profile_export_raw.jsonl', 'inputs.json'])
      expect(read(name), name).toContain('<redacted>');
    expect(findSecrets()).toEqual([]);
  });

  test('in the files and the output of runs whose endpoints a server lists', async () => {
    const received: string[] = [];
    const target = `localhost:${ports[Object.keys(ECHO_SERVERS).indexOf('in its metrics')]}`;
    const lists = await startServer((request, response) => {
      received.push(formatEcho(request));
      const isDenied = request.url?.startsWith('/denied') === true;
      const text = isDenied ? formatEcho(request) : JSON.stringify([{ targets: [target] }]);
      respondWith(text, isDenied ? 403 : 200, { 'content-type': 'application/json' })(request, response);
    });
    servers.push(lists);
    const collect = (name: string, source: string, options: readonly string[]): Promise<number | null> =>
      run(name, [
        ...['collect', '--server-metrics-source', source, ...options, '--duration', '1'],
        ...['--artifact-dir', name, '--keep-journal', ...FORMATS],
      ]);
    const host = `localhost:${lists.port}`;
    const token = ['--discovery-bearer-token-file', 'bearer'];
    const header = ['--discovery-header', `X-Custom: ${SECRETS.sourceHeader}`];
    const query = `api_key=${SECRETS.urlQuery}`;
    const codes = await Promise.all([
      collect('found', `http_sd:http://${host}/found?${query}`, [...token, ...header]),
      collect('found by user', `http_sd:http://me:${SECRETS.sourceUrl}@${host}/user`, []),
      collect('denied', `http_sd:http://${host}/denied?${query}`, [...token, ...header]),
      collect('denied user', `prometheus:http://me:${SECRETS.sourceUrl}@${host}/denied`, []),
    ]);
    expect(codes).toEqual([0, 0, 2, 2]);
    for (const text of [SECRETS.bearerFile, SECRETS.sourceHeader, encodeBase64(`me:${SECRETS.sourceUrl}`)])
      expect(received.join(), text).toContain(text);
    expect(readdirSync(getPath('found'))).toContain('server_metrics_export.json');
    expect(findSecrets()).toEqual([]);
  });

  test('in the output for a configuration file, valid or invalid', async () => {
    expect(await run('config check', ['config', 'check', 'config.yaml'])).toBe(0);
    const invalidConfig = `targets:\n  - url: ftp://me:${SECRETS.urlPassword}@h:1/?token=${SECRETS.urlQuery}\n  - url: h:1\n    bearer_token_fil: ${SECRETS.yamlToken}\n    headers: { A: [${SECRETS.fileHeader}] }\n    basic_auth: ${SECRETS.environment}\n`;
    const invalidFiles = [
      invalidConfig,
      invalidConfig.split('\n').slice(0, 2).join('\n'),
      `bearer_token: "${SECRETS.yamlToken}\n`,
      `a: b: ${SECRETS.yamlToken}`,
      `*${SECRETS.yamlToken}`,
      SECRETS.yamlToken,
      `- ${SECRETS.yamlToken}: [`,
      `targets: [{url: "h:1", bearer_token: "${SECRETS.yamlToken} x"}]`,
      `%${SECRETS.yamlToken}\n---\n!${SECRETS.yamlToken} x`,
    ];
    const codes = await Promise.all(
      invalidFiles.map((content, i) => {
        writeFileSync(getPath(`wrong-${i}.yaml`), content);
        return run(`config check ${i}`, ['config', 'check', `wrong-${i}.yaml`]);
      }),
    );
    expect(codes).toEqual(invalidFiles.map(() => 1));
    expect(await run('collect', ['collect', '--config', 'wrong-0.yaml', '--duration', '1'])).toBe(2);
    expect(findSecrets()).toEqual([]);
  });

  test('in the output for invalid options', async () => {
    const invalidOptions: string[][] = [
      ['--server-metrics', `ftp://me:${SECRETS.urlPassword}@h/?token=${SECRETS.urlQuery}`],
      ['--server-metrics', 'h:1', '--header', SECRETS.header],
      ['--server-metrics', 'h:1', '--header', `A: ${SECRETS.header}\r\nB: 1`],
      ['--server-metrics', 'h:1', '--bearer-token', SECRETS.bearerFile],
      [
        '--server-metrics',
        'h:1',
        '--cert-file',
        getPemPath('client.key'),
        '--key-file',
        getPemPath('client.key'),
      ],
      ['--server-metrics', 'h:1', '--cert-file', getPemPath('client.pem'), '--key-file', 'bearer'],
      ['--server-metrics', 'h:1', '--ca-file', 'bearer'],
      ['--server-metrics', 'h:1', '--basic-auth-file', 'bearer'],
    ];
    const codes = await Promise.all(
      invalidOptions.map(options => run(`collect ${options[2]}`, ['collect', ...options, '--duration', '1'])),
    );
    expect(codes).toEqual(invalidOptions.map(() => 2));
    expect(findSecrets()).toEqual([]);
  });
});
