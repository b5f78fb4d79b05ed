import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Bytes of JavaScript, gzip, that a browser may have to load, and how many scripts at once. */
const limits = { firstRoute: 250_000, shellAndOverview: 250_000, laterChunk: 150_000, scripts: 20 };

const folder = path.resolve(import.meta.dirname, '../dist');
const manifestPath = path.join(folder, '.vite/manifest.json');
const chunk = z.object({
  file: z.string(),
  isEntry: z.boolean().optional(),
  imports: z.array(z.string()).default([]),
  dynamicImports: z.array(z.string()).default([]),
});
type Manifest = Readonly<Record<string, z.output<typeof chunk>>>;

const isBuilt = existsSync(manifestPath);
if (!isBuilt) process.stderr.write('The portal is not built: the size budget is not measured here.\n');

function readManifest(): Manifest {
  return z.record(z.string(), chunk).parse(JSON.parse(readFileSync(manifestPath, 'utf8')));
}

/** What is loaded with a chunk, without what it loads later. */
function closure(manifest: Manifest, names: readonly string[], seen = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    closure(manifest, manifest[name]?.imports ?? [], seen);
  }
  return seen;
}

function bytes(manifest: Manifest, names: Iterable<string>): number {
  const files = new Set([...names].map((name) => manifest[name]?.file ?? ''));
  const sizes = [...files].filter((file) => file.endsWith('.js')).map((file) => statSync(path.join(folder, `${file}.gz`)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What the sign-in page loads: also the toasts, which come right after it has been drawn. */
function firstRoute(manifest: Manifest): ReadonlySet<string> {
  const names = ['src/start.tsx', 'identity/sign-in-page.tsx', 'react-toastify/dist/unstyled.mjs'];
  return closure(manifest, ['index.html', ...names.map((name) => named(manifest, name))]);
}

function named(manifest: Manifest, ending: string): string {
  const found = Object.keys(manifest).find((name) => name.endsWith(ending));
  if (found === undefined) throw new Error(`No chunk of ${ending} in the manifest.`);
  return found;
}

test.runIf(isBuilt)('the first route loads no more than it may', () => {
  const manifest = readManifest();
  expect(bytes(manifest, firstRoute(manifest))).toBeLessThanOrEqual(limits.firstRoute);
});

test.runIf(isBuilt)('shell and overview load no more than they may beyond the sign-in page', () => {
  const manifest = readManifest();
  const first = firstRoute(manifest);
  const start = closure(manifest, [named(manifest, 'shell/shell.tsx'), named(manifest, 'dashboard/overview-page.tsx')]);
  expect(
    bytes(
      manifest,
      [...start].filter((name) => !first.has(name)),
    ),
  ).toBeLessThanOrEqual(limits.shellAndOverview);
});

test.runIf(isBuilt)('the pages begin with few scripts, not with one for each part that some of them share', () => {
  const manifest = readManifest();
  const overview = ['src/start.tsx', 'shell/shell.tsx', 'dashboard/overview-page.tsx'].map((name) => named(manifest, name));
  expect(firstRoute(manifest).size).toBeLessThanOrEqual(limits.scripts);
  expect(closure(manifest, ['index.html', ...overview]).size).toBeLessThanOrEqual(limits.scripts);
});

test.runIf(isBuilt)('what the pages begin with asks to be compiled before it is called, and nothing else does', () => {
  const asks = (file: string): boolean => readFileSync(path.join(folder, file), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n');
  const files = new Set(Object.values(readManifest()).map(({ file }) => file));
  const asking = [...files]
    .filter((file) => file.endsWith('.js') && asks(file))
    .map((file) => path.basename(file).replace(/-[\w-]{8}\.js$/, ''));
  expect([...new Set(asking)].toSorted()).toEqual(['base', 'controls', 'frame', 'helper', 'react', 'start', 'surfaces', 'visitor']);
});

test.runIf(isBuilt)('no chunk that comes later is larger than it may be, and German, charts and the QR code are apart', () => {
  const manifest = readManifest();
  const first = closure(manifest, ['index.html', named(manifest, 'src/start.tsx')]);
  for (const name of Object.keys(manifest)) {
    if (first.has(name)) continue;
    expect(bytes(manifest, [name]), name).toBeLessThanOrEqual(limits.laterChunk);
  }
  for (const ending of ['phrases/src/de.ts', 'qrcode/lib/browser.js']) expect(first.has(named(manifest, ending))).toBe(false);
  const charts = Object.keys(manifest).filter((name) => name.startsWith('_chart-'));
  expect(charts).toHaveLength(1);
  expect(charts.filter((name) => first.has(name))).toEqual([]);
});
