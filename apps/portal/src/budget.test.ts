import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Kilobytes of JavaScript, gzip, that a browser may have to load. */
const limits = { firstRoute: 250, shellAndOverview: 250, laterChunk: 150, charts: 220 };

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

function kilobytes(manifest: Manifest, names: Iterable<string>): number {
  const files = new Set([...names].map((name) => manifest[name]?.file ?? ''));
  const sizes = [...files].filter((file) => file.endsWith('.js')).map((file) => statSync(path.join(folder, `${file}.gz`)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

function named(manifest: Manifest, ending: string): string {
  const found = Object.keys(manifest).find((name) => name.endsWith(ending));
  if (found === undefined) throw new Error(`No chunk of ${ending} in the manifest.`);
  return found;
}

test.runIf(isBuilt)('the first route loads no more than it may', () => {
  const manifest = readManifest();
  const first = closure(manifest, ['index.html', named(manifest, 'src/start.tsx'), named(manifest, 'identity/sign-in-page.tsx')]);
  expect(kilobytes(manifest, first)).toBeLessThanOrEqual(limits.firstRoute);
});

test.runIf(isBuilt)('shell and overview load no more than they may beyond the sign-in page', () => {
  const manifest = readManifest();
  const first = closure(manifest, ['index.html', named(manifest, 'src/start.tsx'), named(manifest, 'identity/sign-in-page.tsx')]);
  const start = closure(manifest, [named(manifest, 'shell/shell.tsx'), named(manifest, 'dashboard/overview-page.tsx')]);
  expect(
    kilobytes(
      manifest,
      [...start].filter((name) => !first.has(name)),
    ),
  ).toBeLessThanOrEqual(limits.shellAndOverview);
});

test.runIf(isBuilt)('no chunk that comes later is larger than it may be, and German, charts and the QR code are apart', () => {
  const manifest = readManifest();
  const first = closure(manifest, ['index.html', named(manifest, 'src/start.tsx')]);
  for (const name of Object.keys(manifest)) {
    if (first.has(name)) continue;
    const limit = /chart|stacked/i.test(name) ? limits.charts : limits.laterChunk;
    expect(kilobytes(manifest, [name]), name).toBeLessThanOrEqual(limit);
  }
  for (const ending of ['phrases/src/de.ts', 'chart/stacked-columns.tsx', 'qrcode/lib/browser.js'])
    expect(first.has(named(manifest, ending))).toBe(false);
});
