import { afterEach, expect, test, vi } from 'vitest';
import { findPython } from './python.ts';

afterEach(() => vi.unstubAllEnvs());

test('names every Python that was tried, and what is expected', () => {
  vi.stubEnv('SERVELENS_PYTHON', '/nowhere/python3');
  expect(() => findPython({ min: [2, 1], max: [2, 2] })).toThrow(
    /^no Python 2\.1 to 2\.2 with the modules venv and ensurepip: \/nowhere\/python3 does not exist; .*python3\.2 .*; install python3-venv or set SERVELENS_PYTHON$/,
  );
});
