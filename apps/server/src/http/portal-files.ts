import { portalSettingsElement, portalSettingsMarker, type PortalSettingsInput } from '@holdfast/contract/portal-settings';
import { secureRandom } from '@holdfast/foundation/random';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pagePolicy } from './security-headers.ts';
import type { PageHandler } from './unknown-path.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const ENCODINGS = [
  { extension: '.br', name: 'br' },
  { extension: '.gz', name: 'gzip' },
] as const;

interface PortalFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly isImmutable: boolean;
  readonly encoded: ReadonlyMap<string, Buffer>;
}

/**
 * Every file of the build by its URL. What is not in this map does not exist: no path is made from a request. All of
 * it, a few megabytes, is kept: a build that is replaced below a running server changes nothing until it starts anew.
 */
async function readBuild(folder: string): Promise<Map<string, PortalFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const known = new Set(names);
  const files = new Map<string, PortalFile>();
  for (const name of names) {
    const type = TYPES[path.extname(name)];
    if (type === undefined || name === 'index.html') continue;
    const encoded = new Map<string, Buffer>();
    for (const { extension, name: encoding } of ENCODINGS) {
      if (known.has(name + extension)) encoded.set(encoding, await readFile(path.join(folder, name + extension)));
    }
    const url = `/${name.split(path.sep).join('/')}`;
    files.set(url, { bytes: await readFile(path.join(folder, name)), type, isImmutable: url.startsWith('/assets/'), encoded });
  }
  return files;
}

function sendFile(found: PortalFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = ENCODINGS.find(({ name }) => found.encoded.has(name) && accepted.includes(name))?.name;
  const bytes = (encoding === undefined ? undefined : found.encoded.get(encoding)) ?? found.bytes;
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.header('vary', 'accept-encoding');
  reply.header('content-type', found.type);
  reply.header('content-length', String(bytes.byteLength));
  reply.header('cache-control', found.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (request.method === 'HEAD') return reply.code(200).send();
  return reply.code(200).send(bytes);
}

const API_PATH = /^\/(apollo|apollo-beta|api|healthz|readyz|metrics)(\/|$)/;

/**
 * Serves the built portal: hashed assets for ever, everything else checked each time, the page with a
 * fresh nonce and the settings in it at every path that a browser may ask for. Without a build the
 * API works and pages are unknown paths.
 */
export async function createPortalPages(folder: string, settings: PortalSettingsInput): Promise<PageHandler | undefined> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined);
  if (page === undefined) return undefined;
  const files = await readBuild(folder);
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const url = request.url.split('?', 1)[0] ?? '/';
    if (API_PATH.test(url)) return undefined;
    const found = files.get(url);
    if (found) return sendFile(found, request, reply);
    if (path.extname(url) !== '' && request.headers.accept?.includes('text/html') !== true) return undefined;
    const nonce = secureRandom.bytes(16).toString('base64url');
    reply.header('content-security-policy', pagePolicy(nonce));
    reply.header('content-type', TYPES['.html']);
    reply.header('cache-control', 'no-cache');
    return reply.code(200).send(page.replace(portalSettingsMarker, () => portalSettingsElement({ ...settings, nonce })));
  };
}
