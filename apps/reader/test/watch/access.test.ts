import { expect, test } from 'vitest';
import { checkAccess } from '../../src/watch/access.ts';

const HOST = '127.0.0.1:8090';
const TOKEN = 'kq3Zt-9';

test.each([
  ['GET', HOST, `/${TOKEN}/`, 'page'],
  ['HEAD', HOST, `/${TOKEN}/`, 'page'],
  ['GET', 'localhost:8090', `/${TOKEN}/`, 'page'],
  ['GET', HOST, `/${TOKEN}/events?after=7`, 'events'],
  ['GET', HOST, `/${TOKEN}/report.html`, 'report'],
])('answers %s http://%s%s', (method, host, path, resource) => {
  expect(checkAccess({ method, host, path }, 8090, TOKEN)).toEqual({ resource });
});

test.each([
  ['a page of another site, by its host name', 'GET', 'evil.test', `/${TOKEN}/`, 403],
  ['a host name with the right port', 'GET', 'evil.test:8090', `/${TOKEN}/`, 403],
  ['a host name that starts with the address', 'GET', '127.0.0.1:8090.evil.test', `/${TOKEN}/`, 403],
  ['another port', 'GET', '127.0.0.1:80', `/${TOKEN}/`, 403],
  ['no host', 'GET', undefined, `/${TOKEN}/`, 403],
  ['no token', 'GET', HOST, '/', 403],
  ['an empty token', 'GET', HOST, '//', 403],
  ['a wrong token', 'GET', HOST, '/kq3Zt-8/', 403],
  ['a part of the token', 'GET', HOST, '/kq3Zt-/', 403],
  ['a longer token', 'GET', HOST, `/${TOKEN}9/`, 403],
  ['a token of other characters', 'GET', HOST, '/ké/', 403],
  ['the token in the query', 'GET', HOST, `/?token=${TOKEN}`, 403],
  ['a resource without the token', 'GET', HOST, '/report.html', 403],
  ['a write', 'POST', HOST, `/${TOKEN}/`, 405],
  ['a deletion', 'DELETE', HOST, `/${TOKEN}/report.html`, 405],
  ['a write with a wrong token', 'POST', HOST, '/x/', 403],
  ['an unknown resource', 'GET', HOST, `/${TOKEN}/journal`, 404],
  ['a path out of the folder', 'GET', HOST, `/${TOKEN}/../../etc/passwd`, 404],
  ['a name of every object', 'GET', HOST, `/${TOKEN}/constructor`, 404],
])('refuses %s', (_, method, host, path, status) => {
  const access = checkAccess({ method, host, path }, 8090, TOKEN);
  expect(access).toMatchObject({
    status,
    message: expect.stringMatching(/^[A-Z][^.]*(?:\.\d[^.]*)*\.?.*\.$/),
  });
  expect(JSON.stringify(access)).not.toContain(TOKEN);
});

test('leads from the address without a slash to the page', () => {
  expect(checkAccess({ method: 'GET', host: HOST, path: `/${TOKEN}` }, 8090, TOKEN)).toMatchObject({
    status: 308,
    location: `/${TOKEN}/`,
  });
});
