import { portalSettingsMarker } from '@holdfast/contract/portal-settings';
import Fastify from 'fastify';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPortalPages } from './portal-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-portal-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), `<html>${portalSettingsMarker}</html>`);
  await writeFile(path.join(folder, 'assets/app-abc.js'), 'let a = 1;');
  await writeFile(path.join(folder, 'assets/app-abc.js.gz'), gzipSync('let a = 1;'));
  await writeFile(path.join(folder, 'robots.txt'), 'none');
});
afterEach(() => rm(folder, { recursive: true }));

async function serving() {
  const pages = await createPortalPages(folder, { version: '1.2.3' });
  const server = Fastify();
  server.setNotFoundHandler((request, reply) => pages?.(request, reply) ?? reply.code(404).send({}));
  return (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });
}

test('the page comes with its settings, a fresh nonce and a policy that names it', async () => {
  const get = await serving();
  const [first, second] = [await get('/signin', { accept: 'text/html' }), await get('/archive/jobs', { accept: 'text/html' })];
  const nonce = /"nonce":"([\w-]+)"/.exec(first.body)?.[1] ?? '';
  expect(nonce.length).toBeGreaterThan(15);
  expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  expect(first.headers['content-security-policy']).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  expect(first.body).toContain('"version":"1.2.3"');
  expect(second.body).not.toContain(nonce);
  expect(first.headers['cache-control']).toBe('no-cache');
});

test('hashed assets are kept for ever and come compressed where the browser takes it', async () => {
  const get = await serving();
  const plain = await get('/assets/app-abc.js');
  expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' });
  const packed = await get('/assets/app-abc.js', { 'accept-encoding': 'gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect((await get('/robots.txt')).headers['cache-control']).toBe('no-cache');
});

test('no path leads out of the build, and paths of the API are not pages', async () => {
  const get = await serving();
  for (const url of [
    '/../config.ts',
    '/assets/../../x.js',
    '/assets/%2e%2e/%2e%2e/etc/passwd.js',
    '/missing.js',
    '/apollo/x',
    '/api/x',
    '/healthz',
  ]) {
    expect((await get(url)).statusCode).toBe(404);
  }
});

test('without a build there are no pages', async () => {
  expect(await createPortalPages(path.join(folder, 'none'), { version: '1' })).toBeUndefined();
});
