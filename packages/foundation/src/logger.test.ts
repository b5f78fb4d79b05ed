import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

test('secrets are struck out of the log wherever they stand', () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ level: 'info', destination });
  logger.info(
    { password: 'canary', body: { clientSecret: 'canary', inner: { token: 'canary' } }, req: { headers: { authorization: 'canary' } } },
    'signed in',
  );
  expect(lines.join('')).toContain('signed in');
  expect(lines.join('')).not.toContain('canary');
});
