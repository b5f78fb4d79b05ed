import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@holdfast/foundation/free-port';
import { aCertificate } from '@holdfast/m365/testing/a-certificate';

const ANY_ADDRESS = '0.0.0.0';

/** The web servers that the operations page has a file for. */
export const webServers = ['nginx', 'caddy', 'apache'] as const;
export type WebServerName = (typeof webServers)[number];

export const publicHost = 'backup.example.com';

const PROGRAMS = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy', apache: '/usr/sbin/apache2' } as const;
const FILES = { nginx: 'nginx.conf', caddy: 'Caddyfile', apache: 'apache.conf' } as const;
const MODULES = '/usr/lib/apache2/modules';
const APACHE_MODULES = ['mpm_event', 'authz_core', 'alias', 'headers', 'proxy', 'proxy_http', 'socache_shmcb', 'ssl'];
const isRoot = process.getuid?.() === 0;
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ family }) => family === 'IPv6'));

export const hasWebServer = (name: WebServerName): boolean => existsSync(PROGRAMS[name]);

interface Place {
  readonly folder: string;
  readonly http: number;
  readonly https: number;
  readonly behind: string;
}

/** The file of the operations page, with nothing changed but ports, certificate and the address behind. */
async function fileFor(name: WebServerName, { folder, http, https, behind }: Place): Promise<string> {
  const text = await readFile(fileURLToPath(new URL(`../../../../docs/operations/front/${FILES[name]}`, import.meta.url)), 'utf8');
  return text
    .split('\n')
    .filter((line) => hasIpv6 || !line.includes('listen [::]'))
    .join('\n')
    .replaceAll('127.0.0.1:8080', behind)
    .replaceAll(`/etc/letsencrypt/live/${publicHost}/fullchain.pem`, path.join(folder, 'certificate.pem'))
    .replaceAll(`/etc/letsencrypt/live/${publicHost}/privkey.pem`, path.join(folder, 'key.pem'))
    .replaceAll(/(listen (?:\[::\]:)?|\*:)80\b/g, `$1${http}`)
    .replaceAll(/(listen (?:\[::\]:)?|\*:)443\b/g, `$1${https}`);
}

/** What the installation of a distribution has around the file. */
function around(name: WebServerName, file: string, place: Place): { readonly text: string; readonly args: readonly string[] } {
  const { folder, http, https } = place;
  const main = path.join(folder, 'main.conf');
  if (name === 'nginx') {
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
    const text = `${isRoot ? 'user root;' : ''} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${places}\n${file}\n}`;
    return { text, args: ['-p', folder, '-e', 'stderr', '-c', main] };
  }
  if (name === 'caddy') {
    // A certificate of Caddy's own authority, which nothing on this machine learns to trust.
    const options = `{\n admin off\n local_certs\n skip_install_trust\n http_port ${http}\n https_port ${https}\n storage file_system ${folder}/caddy\n}\n`;
    return { text: options + file, args: ['run', '--adapter', 'caddyfile', '--config', main] };
  }
  const lines = [
    ...APACHE_MODULES.map((module) => `LoadModule ${module}_module ${MODULES}/mod_${module}.so`),
    ...(isRoot ? ['User www-data', 'Group www-data'] : []),
    `ServerRoot ${folder}`,
    `DefaultRuntimeDir ${folder}`,
    `PidFile ${folder}/pid`,
    `ErrorLog ${folder}/error.log`,
    `ServerName ${publicHost}`,
    `Listen ${http}`,
    `Listen ${https}`,
  ];
  return { text: `${lines.join('\n')}\n${file}`, args: ['-d', folder, '-f', main, '-DFOREGROUND'] };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isThere = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isThere;
}

export interface WebServer {
  readonly http: number;
  readonly https: number;
  stop(): Promise<void>;
}

/** Runs a web server in front of an address until it is stopped; throws with what it said when it can't run. */
async function run(name: WebServerName, behind: string): Promise<WebServer> {
  const folder = await mkdtemp(path.join(tmpdir(), `holdfast-${name}-`));
  // Its workers are another user.
  await chmod(folder, 0o755);
  const place = { folder, http: await freePort(ANY_ADDRESS), https: await freePort(ANY_ADDRESS), behind };
  await writeFile(path.join(folder, 'certificate.pem'), aCertificate.certificatePem);
  await writeFile(path.join(folder, 'key.pem'), aCertificate.privateKeyPem);
  const { text, args } = around(name, await fileFor(name, place), place);
  await writeFile(path.join(folder, 'main.conf'), text);
  const child = spawn(PROGRAMS[name], args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: folder } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += String(part)));
  const ended = once(child, 'exit').then(() => true);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (;;) {
    if ((await isOpen(place.http)) && (await isOpen(place.https))) return { http: place.http, https: place.https, stop };
    const isOver = await Promise.race([ended, new Promise<false>((resolve) => setTimeout(() => resolve(false), 50))]);
    if (!isOver) continue;
    await stop();
    throw new Error(`${name} ended:\n${said}`);
  }
}

/** The same, again with other ports when somebody took one in between. */
export async function startWebServer(name: WebServerName, behind: string, tries = 5): Promise<WebServer> {
  try {
    return await run(name, behind);
  } catch (error) {
    if (tries <= 1 || !/in use|could not bind/i.test(String(error))) throw error;
    return startWebServer(name, behind, tries - 1);
  }
}

/** An address of this machine that is not loopback: who connects to it comes from it, and limits count. */
export const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
