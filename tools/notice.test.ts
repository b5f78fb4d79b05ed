import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noticeOf } from './notice.ts';
import type { Lock } from './sbom.ts';

const lock = {
  version: '1.0.0',
  packages: {
    'node_modules/one': { version: '1.0.0', license: 'MIT' },
    'node_modules/two': { version: '2.0.0', license: 'MIT' },
    'node_modules/two/node_modules/one': { version: '0.9.0', license: 'ISC' },
    'node_modules/built-here': { version: '3.0.0', license: 'MIT', os: ['linux'] },
    'node_modules/tool': { version: '4.0.0', license: 'MIT', dev: true },
    'node_modules/ours': { link: true },
  },
} as Lock;

test('every package that is delivered is named with its licence, and each text is there once', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-notice-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const place of Object.keys(lock.packages)) {
    await mkdir(path.join(folder, place), { recursive: true });
    await writeFile(path.join(folder, place, 'LICENSE'), place.includes('two/') ? 'Text of ISC.\r\n' : 'Text of MIT.  \n');
  }
  const text = await noticeOf(lock, folder);
  expect(text).toContain('built-here 3.0.0: MIT\none 0.9.0: ISC\none 1.0.0: MIT\ntwo 2.0.0: MIT\n');
  expect(text).toContain('\none 1.0.0\ntwo 2.0.0\n\nText of MIT.\n');
  expect(text.match(/Text of MIT\./g)).toHaveLength(1);
  expect(text).toContain('\none 0.9.0\n\nText of ISC.\n');
  expect(text).not.toMatch(/tool|ours/);
});
