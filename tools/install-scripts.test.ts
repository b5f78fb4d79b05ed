import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './run.ts';

/** A project with two packages that each want to run a script when they are installed, installed by our own command. */
const execute = promisify(execFile);
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-install-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
}

/** A package as a registry would give it. */
async function pack(name: string): Promise<void> {
  const script = `require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, `${name}.ran`))}, '')`;
  await write(`sources/${name}/package.json`, { name, version: '1.0.0', scripts: { postinstall: 'node run.js' } });
  await write(`sources/${name}/run.js`, script);
  await execute('npm', ['pack', '--silent', '--ignore-scripts', `./sources/${name}`], { cwd: folder });
}

test('of the packages that bring an install script only the named ones run it', async () => {
  for (const name of ['named', 'unnamed']) await pack(name);
  await write('package.json', {
    name: 'project',
    version: '1.0.0',
    dependencies: { named: 'file:named-1.0.0.tgz', unnamed: 'file:unnamed-1.0.0.tgz' },
    allowScripts: { 'named@1.0.0': true, 'elsewhere@1.0.0': true },
  });
  await execute('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit'], { cwd: folder });
  await cp(path.join(root, 'tools/launch.mjs'), path.join(folder, 'tools/launch.mjs'));
  await write('tools/sbom.ts', '');
  await execute(process.execPath, ['tools/launch.mjs', 'sbom'], { cwd: folder });
  expect((await readdir(folder)).filter((name) => name.endsWith('.ran'))).toEqual(['named.ran']);
});
