/** `npm run sbom`: what the product is made of, as CycloneDX 1.6, from the lock file alone. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './run.ts';

/** A package as the lock file has it, by its place in the tree. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

export interface Lock {
  readonly version: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface Component {
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: 'required' | 'optional' | 'excluded';
  readonly licenses?: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
}

const MODULES = 'node_modules/';
const SHA512 = 'sha512-';

/** The name that stands last in a place of the tree. */
export const nameAt = (place: string): string => place.slice(place.lastIndexOf(MODULES) + MODULES.length);

function scopeOf({ dev, optional }: LockedPackage): Component['scope'] {
  if (dev === true) return 'excluded';
  return optional === true ? 'optional' : 'required';
}

function componentOf(place: string, locked: LockedPackage): Component {
  const name = nameAt(place);
  const { version = '', license, integrity } = locked;
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    scope: scopeOf(locked),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(integrity?.startsWith(SHA512) === true
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(SHA512.length), 'base64').toString('hex') }] }
      : {}),
  };
}

/** The bill of materials of a lock file: the same lock makes the same bill. */
export function billOf({ version, packages }: Lock) {
  const all = Object.entries(packages)
    .filter(([place, { link }]) => place.includes(MODULES) && link !== true)
    .map(([place, locked]) => componentOf(place, locked));
  // One package may lie at several places of the tree. What any of them needs when it runs is needed.
  const ranks = ['required', 'optional', 'excluded'] as const;
  const byUrl = new Map<string, Component>();
  for (const component of all.toSorted((one, other) => ranks.indexOf(other.scope) - ranks.indexOf(one.scope))) {
    byUrl.set(component.purl, component);
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'holdfast', version } },
    components: [...byUrl.values()].toSorted((one, other) => (one.purl < other.purl ? -1 : 1)),
  } as const;
}

if (import.meta.main) {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const file = path.join(root, 'artifacts/sbom.cdx.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(billOf(lock), null, 1)}\n`);
  console.log(`${billOf(lock).components.length} packages: ${path.relative(root, file)}`);
}
