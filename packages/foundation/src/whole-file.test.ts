import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWholeFile } from './whole-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-whole-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file that is there whole or not at all', () => {
  it('replaces what was there and leaves nothing beside it', async () => {
    const file = path.join(folder, 'one.json');
    await writeWholeFile(file, 'first', { mode: 0o600 });
    await writeWholeFile(file, 'second', { mode: 0o600 });
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['second', ['one.json']]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('is one of the two whole when two write at once', async () => {
    const file = path.join(folder, 'state');
    const contents = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100_000));
    await Promise.all(contents.map((content) => writeWholeFile(file, content, { mode: 0o600 })));
    expect(contents).toContain(await readFile(file, 'utf8'));
    expect(await readdir(folder)).toEqual(['state']);
  });

  it('leaves a file alone that is there already', async () => {
    const file = path.join(folder, 'key');
    await writeFile(file, 'older');
    await expect(writeWholeFile(file, 'newer', { mode: 0o400, ifAbsent: true })).rejects.toMatchObject({ code: 'EEXIST' });
    expect([await readFile(file, 'utf8'), await readdir(folder)]).toEqual(['older', ['key']]);
  });
});
