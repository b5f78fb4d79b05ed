import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from './run.ts';

/**
 * The container image, built from Debian packages and npm alone, and its process run by buildah: wherever buildah and mmdebstrap
 * are installed and this process is root. Images are stored in a folder of the test.
 */
const isHere = ['buildah', 'mmdebstrap'].every((name) => spawnSync(name, ['--version']).status === 0) && process.getuid?.() === 0;
const image = 'holdfast:tested';
const USER = 10_001;
const node = '/opt/holdfast/node_modules/.bin/node';
const owner = { email: 'owner@contoso.example', password: 'Sturdy-Heron-Wanders-47' };
let folder: string;
let container: string;
let env: NodeJS.ProcessEnv;

function buildah(...args: readonly string[]): string {
  const done = spawnSync('buildah', [...args], { env, encoding: 'utf8', maxBuffer: 64 * 1_048_576 });
  if (done.status !== 0) throw new Error(`buildah ${args.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}

/** The container shares the network of this machine, so it listens on loopback alone. */
const settings = (port: number): string[] => [
  'HOLDFAST_HOST=127.0.0.1',
  `HOLDFAST_PORT=${port}`,
  `HOLDFAST_OWNER_EMAIL=${owner.email}`,
  `HOLDFAST_OWNER_PASSWORD=${owner.password}`,
];

/** Runs a command in the container as its unprivileged user, without any capability. */
function byBuildah(port: number, command: readonly string[]): string[] {
  const volumes = [`${folder}/data:/var/lib/holdfast:rw`, `${folder}/tmp:/tmp:rw`].flatMap((volume) => ['--volume', volume]);
  const variables = settings(port).flatMap((setting) => ['--env', setting]);
  const rights = ['--user', `${USER}:${USER}`, '--cap-drop', 'all'];
  return ['buildah', 'run', '--isolation', 'chroot', ...rights, ...volumes, ...variables, container, '--', ...command];
}

/** Does what `podman run --read-only` does, which is not possible inside every container: mounts the root read-only, then enters it. */
function readOnly(port: number, command: readonly string[]): string[] {
  const top = buildah('mount', container);
  const script = `set -e
    mount --bind '${top}' '${top}'
    mount -o remount,bind,ro '${top}'
    mount --bind '${folder}/data' '${top}/var/lib/holdfast'
    mount --bind '${folder}/tmp' '${top}/tmp'
    mount -t proc proc '${top}/proc'
    mount --rbind /dev '${top}/dev'
    if touch '${top}/written' 2>/dev/null; then echo 'The root is writable.' >&2; exit 1; fi
    exec chroot --userspec=${USER}:${USER} '${top}' /bin/sh -c 'cd /opt/holdfast && exec "$@"' - "$@"`;
  const variables = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOLDFAST_DATA_DIR=/var/lib/holdfast', ...settings(port)];
  return ['env', '-i', ...variables, 'unshare', '--mount', 'sh', '-c', script, '-', ...command];
}

const runNow = ([program = '', ...args]: readonly string[]) => spawnSync(program, args, { env, encoding: 'utf8' });
const inside = (...command: readonly string[]) => runNow(byBuildah(0, command));

beforeAll(async () => {
  if (!isHere) return;
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-container-'));
  for (const name of ['data', 'tmp']) {
    await mkdir(path.join(folder, name));
    spawnSync('chown', [`${USER}:${USER}`, path.join(folder, name)]);
  }
  const storage = path.join(folder, 'storage.conf');
  await writeFile(storage, `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/images"\nrunroot = "${folder}/run"\n`);
  env = { ...process.env, CONTAINERS_STORAGE_CONF: storage, BUILDAH_ISOLATION: 'chroot' };
  const built = spawnSync('sh', [path.join(root, 'deploy/container/build.sh'), image], { cwd: root, env, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${built.stdout}\n${built.stderr}`);
  container = buildah('from', image);
});
afterAll(async () => {
  if (!isHere) return;
  buildah('rm', '--all');
  await rm(folder, { recursive: true, force: true });
});

/** Everything in the image that its user can write to, apart from the places that are mounted. */
const writable = `const fs = require('node:fs'), found = [];
  const look = (at) => { for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
    const own = at + (at === '/' ? '' : '/') + entry.name;
    if (['/proc', '/sys', '/dev', '/tmp', '/var/lib/holdfast'].includes(own) || entry.isSymbolicLink()) continue;
    try { fs.accessSync(own, fs.constants.W_OK); found.push(own); } catch {}
    if (entry.isDirectory()) try { look(own); } catch {}
  } };
  look('/'); console.log(JSON.stringify({ user: process.getuid(), found }));`;

describe.skipIf(!isHere)('the container image', () => {
  test('runs the product as an unprivileged user, with a health check', () => {
    const { OCIv1, Docker } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
      OCIv1: { config: Record<string, unknown> };
      Docker: { config: { Healthcheck?: { Test: string[] } } };
    };
    expect(OCIv1.config).toMatchObject({
      User: `${USER}:${USER}`,
      Entrypoint: [node, 'apps/server/src/main.ts'],
      Cmd: ['all'],
      Volumes: { '/var/lib/holdfast': {} },
    });
    expect(Docker.config.Healthcheck?.Test.join(' ')).toContain('deploy/container/healthcheck.mjs');
  });

  test('is small: neither tools that install or build, nor the parts of the product that do not run in it', () => {
    const places = [
      'node_modules/@fluentui',
      'node_modules/react',
      'node_modules/typescript',
      'node_modules/vite',
      'packages/m365-simulator',
      'apps/portal/src',
      'tools',
      'e2e',
    ];
    const present = inside(
      '/bin/sh',
      '-c',
      `for place in ${places.join(' ')}; do [ -e $place ] && echo $place; done; find . -name '*.test.ts'`,
    );
    expect(present.stdout).toBe('');
    for (const program of ['apt-get', 'dpkg', 'npm', 'tar', 'gcc', 'curl', 'perl'])
      expect([program, inside('/bin/sh', '-c', `command -v ${program}`).status]).not.toEqual([program, 0]);
    const [megabytes] = runNow(['du', '-sm', buildah('mount', container)]).stdout.split('\t');
    expect(Number(megabytes)).toBeLessThan(360);
    process.stdout.write(`container image: ${megabytes} MB unpacked\n`);
  });

  test('leaves its user nothing to write to but data and /tmp', () => {
    expect(JSON.parse(inside(node, '-e', writable).stdout)).toEqual({ user: USER, found: [] });
  });

  test.each([
    ['by buildah', byBuildah],
    ['with its root mounted read-only', readOnly],
  ] as const)('run %s serves the portal, signs its owner in and is healthy until it ends', async (_way, commandOf) => {
    const [program = '', ...args] = commandOf(0, [node, 'apps/server/src/main.ts', 'all']);
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const ended = once(child, 'close');
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
    const isHealthy = (port: number): boolean => runNow(commandOf(port, [node, 'deploy/container/healthcheck.mjs'])).status === 0;
    let port = 0;
    try {
      const ready = /"event":"ready","address":"http:\/\/127\.0\.0\.1:(\d+)"/;
      await expect.poll(() => (child.exitCode === null ? said : `ended: ${said}`), { timeout: 300_000 }).toMatch(/^ended|"event":"ready"/);
      expect(said).toMatch(ready);
      port = Number(ready.exec(said)?.[1]);
      expect(isHealthy(port)).toBe(true);
      const page = await fetch(`http://127.0.0.1:${port}/signin`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('holdfast-settings')]);
      const signIn = await fetch(`http://127.0.0.1:${port}/apollo/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(owner),
      });
      expect(signIn.status).toBe(200);
    } finally {
      // As a runtime of containers does it: the product's process alone gets the signal, and ends what it started itself.
      const own = /"processId":(\d+)/.exec(said)?.[1];
      process.kill(own === undefined ? -(child.pid ?? 0) : Number(own), 'SIGTERM');
      await ended;
    }
    expect(child.exitCode).toBe(0);
    expect(said).toContain('"msg":"stopped"');
    expect(isHealthy(port)).toBe(false);
  });
});
