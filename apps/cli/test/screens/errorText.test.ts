import { expect, test } from 'vitest';
import { formatErrorText } from '../../src/screens/errorText.ts';

test.each([
  ['HTTP status 404: The model `m` does not exist.', 'The model `m` does not exist.'],
  ['two\nlines', 'two lines'],
  ['\u001b[31mred', '␛[31mred'],
  [
    'HTTP status 404: <html>\r\n<head><title>404 Not Found</title></head>\r\n<body><hr>nginx</body>',
    '404 Not Found (web page)',
  ],
  ['<!DOCTYPE HTML><html lang="en"><title> Login </title>', 'Login (web page)'],
  ['<html><body><h1>502</h1><p>Bad\ngateway</p></body></html>', '502 Bad gateway (web page)'],
  ['<htmlish> is not a page', '<htmlish> is not a page'],
])('formats %j', (message, expected) => {
  expect(formatErrorText(message)).toBe(expected);
});
