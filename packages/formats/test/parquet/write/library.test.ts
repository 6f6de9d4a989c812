import { expect, test } from 'vitest';
import { ParquetLibraryError, withLibrary } from '../../../src/parquet/write/library.ts';

const failing = (code: string, message: string): (() => Promise<never>) => {
  const error = Object.assign(new Error(message), { code });
  return () => Promise.reject(error);
};

test('what loads is given', async () => {
  expect(await withLibrary(async () => 5)).toBe(5);
});

test('a library that is not there is named, with what to install', async () => {
  const load = failing('ERR_MODULE_NOT_FOUND', "Cannot find package '@dsnp/parquetjs' imported from /x.js");
  const error: unknown = await withLibrary(load).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ParquetLibraryError);
  expect((error as Error).message).toMatch(
    /^cannot write Parquet: .* is not installed .* npm install @dsnp\/parquetjs@1\.8\.8 /,
  );
  expect((error as Error).cause).toMatchObject({ code: 'ERR_MODULE_NOT_FOUND' });
});

test.each([
  ['ERR_MODULE_NOT_FOUND', "Cannot find package 'thrift' imported from /x.js"],
  ['ENOENT', 'no such file: @dsnp/parquetjs'],
])('any other failure is thrown as it is: %s %s', async (code, message) => {
  await expect(withLibrary(failing(code, message))).rejects.toThrow(message);
});
