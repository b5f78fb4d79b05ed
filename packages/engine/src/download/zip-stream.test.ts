import { setTimeout } from 'node:timers/promises';
import { collect } from '@holdfast/foundation/streams';
import { expect, it } from 'vitest';
import { unzip } from '../../testing/unzip.ts';
import { zipStream, type ZipEntry } from './zip-stream.ts';

const LIMIT = 1_000_000;

async function* of(...parts: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) yield Buffer.from(part);
}

function entry(path: string, open: ZipEntry['open'], modifiedAt?: Date): ZipEntry {
  return { path, modifiedAt, open };
}

async function* listed(...entries: readonly ZipEntry[]): AsyncGenerator<ZipEntry, void, undefined> {
  yield* entries;
}

it('holds files with names of any script, empty ones and those of dates that no archive can say', async () => {
  const all = listed(
    entry('Größe/日本 🎉 "a" \'b\'.txt', () => of('one', 'two')),
    entry('empty', () => of()),
    ...['1601-01-01', '1969-12-31', '2500-01-01', 'never'].map((date) => entry(date, () => of('x'), new Date(date))),
  );
  const files = unzip(await collect(zipStream(all), LIMIT));
  expect([...files].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
    ['Größe/日本 🎉 "a" \'b\'.txt', 'onetwo'],
    ['empty', ''],
    ['1601-01-01', 'x'],
    ['1969-12-31', 'x'],
    ['2500-01-01', 'x'],
    ['never', 'x'],
  ]);
});

it.each([1, 16])('keeps the order of files with %i of them at a time, and fails with one of them', async (ahead) => {
  const opened: string[] = [];
  const known = (path: string, text: string): ZipEntry => ({
    ...entry(path, () => {
      opened.push(path);
      return of(...Array.from(text));
    }),
    sizeBytes: text.length,
  });
  const names = Array.from({ length: 40 }, (_, at) => `${at}`);
  const all = names.map((name, at) => (at % 5 === 0 ? entry(name, () => of(name)) : known(name, at % 7 === 0 ? '' : name)));
  const files = unzip(await collect(zipStream(listed(...all), ahead), LIMIT));
  expect([...files].map(([name, bytes]) => [name, bytes.toString()])).toEqual(
    names.map((name, at) => [name, at % 5 !== 0 && at % 7 === 0 ? '' : name]),
  );
  expect(opened.length).toBe(32);
  const short = { ...known('long', 'more than it was'), sizeBytes: 1 };
  async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from('h');
    throw new Error('damaged');
  }
  await expect(collect(zipStream(listed(short, { ...entry('broken', broken), sizeBytes: 4 }), ahead), LIMIT)).rejects.toThrow('damaged');
});

it('takes the next file when the one before was read, so that a list of them is made of all', async () => {
  const read: string[] = [];
  async function* files(): AsyncGenerator<ZipEntry, void, undefined> {
    for (const name of ['a', 'b', 'c']) {
      async function* bytes(): AsyncGenerator<Uint8Array, void, undefined> {
        yield Buffer.from(name);
        await setTimeout(50);
        read.push(name);
      }
      yield { ...entry(name, bytes), sizeBytes: 1 };
    }
    const list = read.join();
    yield entry('list', () => of(list));
  }
  expect(
    unzip(await collect(zipStream(files()), LIMIT))
      .get('list')
      ?.toString(),
  ).toBe('a,b,c');
});

it('fails when a file fails, and closes what is open', async () => {
  const closed: string[] = [];
  async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from('half');
    throw new Error('damaged');
  }
  async function* entries(): AsyncGenerator<ZipEntry, void, undefined> {
    try {
      yield entry('broken', broken);
      yield entry('never', () => of('x'));
    } finally {
      closed.push('entries');
    }
  }
  await expect(collect(zipStream(entries()), LIMIT)).rejects.toThrow('damaged');
  expect(closed).toEqual(['entries']);
});

it('closes the file that is open and the list when whoever reads it leaves', async () => {
  const closed: string[] = [];
  async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) yield crypto.getRandomValues(new Uint8Array(65_536));
    } finally {
      closed.push('file');
    }
  }
  async function* entries(): AsyncGenerator<ZipEntry, void, undefined> {
    try {
      for (;;) yield entry('endless', endless);
    } finally {
      closed.push('entries');
    }
  }
  const zip = zipStream(entries());
  await zip.next();
  await zip.return();
  expect(closed).toEqual(['file', 'entries']);
});
