import { Writable } from 'node:stream';
import { createLogger } from '@holdfast/foundation/logger';
import { expect, test } from 'vitest';
import { requestLogger } from './request-logger.ts';

function written(): { lines: Record<string, unknown>[]; destination: Writable } {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { lines, destination };
}

test('every line of a request, and of what it hands on, names the request', () => {
  const { lines, destination } = written();
  const logger = requestLogger(createLogger({ level: 'info', destination }), { requestId: 'r-1' });
  logger.debug('too quiet to be written');
  logger.info({ part: 1 }, 'said');
  logger.error(new Error('broken'), 'told');
  logger.child({ step: 'two' }).warn('deeper');
  expect(lines).toMatchObject([
    { requestId: 'r-1', part: 1, msg: 'said' },
    { requestId: 'r-1', msg: 'told', err: { message: 'broken' } },
    { requestId: 'r-1', step: 'two', msg: 'deeper' },
  ]);
});

test('secrets are struck out of it as of any line', () => {
  const { lines, destination } = written();
  requestLogger(createLogger({ level: 'info', destination }), { requestId: 'r-2' }).info({ password: 'hidden-word' }, 'said');
  expect(JSON.stringify(lines)).not.toContain('hidden-word');
});
