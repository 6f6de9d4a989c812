import { expect, test, vi } from 'vitest';
import { unblockTerminal } from '../../src/program/unblockTerminal.ts';

test.each([
  { name: 'a terminal that Node has opened again', isTTY: true, handleFd: 20, calls: [[false]] },
  { name: 'a terminal that other programs share', isTTY: true, handleFd: 2, calls: [] },
  { name: 'a pipe', isTTY: false, handleFd: 20, calls: [] },
  { name: 'a terminal whose file is unknown', isTTY: true, handleFd: undefined, calls: [] },
])('$name', ({ isTTY, handleFd, calls }) => {
  const setBlocking = vi.fn();
  unblockTerminal({ isTTY, fd: 2, _handle: { fd: handleFd, setBlocking } } as object);
  expect(setBlocking.mock.calls).toEqual(process.platform === 'win32' ? [] : calls);
});

test('a stream without a handle stays as it is', () => {
  expect(() => unblockTerminal({ isTTY: true, fd: 2 })).not.toThrow();
});
