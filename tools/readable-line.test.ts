import { expect, test } from 'vitest';
import { readableLine } from './readable-line.ts';

const time = new Date('2026-11-22T15:48:14').getTime();

test('a line of the log is a sentence with what it names', () => {
  const line = JSON.stringify({ level: 30, time, runId: 'r-1', type: 'backup', isResumed: false, msg: 'run started' });
  expect(readableLine(line)).toBe('15:48:14  run started · runId r-1 · type backup');
});

test('a warning gives its reason and no stack', () => {
  const known = JSON.stringify({ level: 40, time, code: 'graph.mailbox-closed', err: { message: 'x', stack: 'at a' }, msg: 'left out' });
  expect(readableLine(known)).toBe('15:48:14  warning: left out (graph.mailbox-closed)');
  const unknown = JSON.stringify({ level: 50, time, err: { message: 'disk full', stack: 'at a' }, msg: 'request failed' });
  expect(readableLine(unknown)).toBe('15:48:14  error: request failed: disk full');
});

test('what is no line of the log stays as it is', () => {
  for (const line of ['', 'Restarting…', '{"half":', '42', 'null']) expect(readableLine(line)).toBe(line);
});
