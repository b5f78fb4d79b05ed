/**
 * `npm run notice`: the licences of what the server and the portal's bundle carry, from the lock file and the packages
 * themselves. Packages for one platform are named with their licence; their text would differ from machine to machine.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './run.ts';
import { nameAt, type Lock, type LockedPackage } from './sbom.ts';

/** A package that is delivered, or needed to run what is. */
interface Carried {
  readonly place: string;
  readonly title: string;
  readonly licence: string;
  readonly isOfOnePlatform: boolean;
}

type Locked = LockedPackage & { readonly os?: readonly string[]; readonly cpu?: readonly string[]; readonly devOptional?: boolean };

const FILE = path.join(root, 'NOTICE');
const TEXTS = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;
const RULE = '-'.repeat(80);

/** What is carried, by name: neither our own packages nor what only builds and tests. */
function carriedBy({ packages }: Lock): Carried[] {
  return Object.entries(packages as Readonly<Record<string, Locked>>)
    .filter(
      ([place, { link, dev, devOptional }]) => place.includes('node_modules/') && link !== true && dev !== true && devOptional !== true,
    )
    .map(([place, { version = '', license = 'not named', os, cpu }]) => ({
      place,
      title: `${nameAt(place)} ${version}`,
      licence: license,
      isOfOnePlatform: os !== undefined || cpu !== undefined,
    }))
    .toSorted((one, other) => (one.title < other.title ? -1 : 1));
}

/** The licence files of a package, without what editors disagree about. */
async function textsIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => TEXTS.test(name)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts
    .map((text) =>
      text
        .replaceAll('\r', '')
        .replaceAll(/[ \t]+$/gm, '')
        .trim(),
    )
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The whole file: a list, then each text once with the packages it belongs to. */
export async function noticeOf(lock: Lock, folder: string = root): Promise<string> {
  const carried = carriedBy(lock);
  const titles = [...new Set(carried.map(({ title, licence }) => `${title}: ${licence}`))];
  const byText = new Map<string, Set<string>>();
  for (const { place, title, isOfOnePlatform } of carried) {
    if (isOfOnePlatform) continue;
    const text = await textsIn(path.join(folder, place));
    if (text === '') continue;
    byText.set(text, (byText.get(text) ?? new Set()).add(title));
  }
  const texts = [...byText].map(([text, owners]) => `${RULE}\n${[...owners].join('\n')}\n\n${text}`);
  const head = [
    'Holdfast',
    '',
    'Licensed under the Apache License, Version 2.0; see LICENSE. The server and the portal carry the packages below.',
    'Written from package-lock.json by "npm run notice".',
  ];
  return `${[head.join('\n'), titles.join('\n'), ...texts].join('\n\n')}\n`;
}

const lockFile = async (): Promise<Lock> => JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock;

/** What is wrong with the file in the repository, if anything. */
export async function checkNotice(): Promise<string> {
  const written = await readFile(FILE, 'utf8').catch(() => '');
  return written === (await noticeOf(await lockFile()))
    ? ''
    : 'NOTICE is not what package-lock.json and the packages say. Run "npm run notice".';
}

if (import.meta.main) await writeFile(FILE, await noticeOf(await lockFile()));
