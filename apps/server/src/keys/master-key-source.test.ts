import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCommandKey } from './master-key-source.ts';

const key = Buffer.alloc(32, 5);

/** A program of a test. */
async function program(script: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-key-command-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'print-key');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o700);
  return file;
}

async function failure(script: string, ...args: string[]): Promise<string> {
  const file = await program(script);
  const error = await readCommandKey([file, ...args]).then(
    () => new Error('it worked'),
    (thrown: unknown) => thrown as Error,
  );
  expect(`${JSON.stringify(error)} ${error.stack ?? ''} ${String(error.cause)}`).not.toMatch(/hunter2|ULU/);
  return error.message.replace(file, 'PROGRAM');
}

test('the key is what the program prints, with the arguments it was given and without a shell', async () => {
  const file = await program('test "$1" = "a b; exit 3" && echo " $2 "');
  expect(await readCommandKey([file, 'a b; exit 3', key.toString('base64')])).toEqual(key);
});

test('a program that gives no key is named with what it did, and nothing that it printed or was given is', async () => {
  const of = (what: string) => `The master key could not be read: PROGRAM of HOLDFAST_MASTER_KEY_COMMAND ${what}.`;
  expect(await failure('echo hunter2; echo hunter2 >&2; exit 3', 'hunter2')).toBe(of('ended with code 3'));
  expect(await failure('echo hunter2')).toBe(of('did not print 32 bytes in base64'));
  expect(await failure(`echo ULULULULULULULULULULULULULULULULULULULULULU=; echo ULU`)).toBe(of('did not print 32 bytes in base64'));
  expect(await failure('true')).toBe(of('did not print 32 bytes in base64'));
  expect(await failure('while :; do echo hunter2hunter2hunter2; done')).toBe(of('printed more than 4096 bytes'));
  expect(await failure('kill -9 $$')).toBe(of('was ended by SIGKILL'));
});

test('a program that does not end is ended, with what it started holding its output', async () => {
  const file = await program('sleep 600 & cat; wait');
  await expect(readCommandKey([file], 300)).rejects.toThrow('did not end within');
  await expect(readCommandKey(['/no/such/program'])).rejects.toThrow('could not be started (ENOENT)');
});
