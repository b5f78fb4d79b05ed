import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether the authority of others that these tests ask is on this machine. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const CONFIG = `
oid_section = oids
[oids]
policy = 1.3.6.1.4.1.99999.1
[tsa]
default_tsa = authority
[authority]
serial = SERIAL
crypto_device = builtin
signer_digest = sha256
default_policy = policy
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
ess_cert_id_chain = yes
[signer]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[server]
extendedKeyUsage = critical, serverAuth
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
`;

/** A time-stamping authority by OpenSSL, over HTTP, with a root of its own. */
export interface OpensslAuthority {
  readonly url: string;
  /** The file of its root certificate. */
  readonly roots: string;
  readonly folder: string;
  /** What happens to its answers on the way. */
  change: ((answer: Buffer) => Buffer | number) | undefined;
  openssl(...words: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

const DAYS = '36500';

async function makeCertificates(openssl: OpensslAuthority['openssl']): Promise<void> {
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
    '-days',
    DAYS,
    '-subj',
    '/CN=Root of Proseware',
    '-config',
    'empty.cnf',
    '-extensions',
    'root',
  );
  for (const [name, subject] of [
    ['signer', '/CN=Time of Proseware'],
    ['server', '/CN=Server of Proseware'],
  ] as const) {
    await openssl(
      'req',
      '-new',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      subject,
      '-config',
      'empty.cnf',
    );
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'root.pem',
      '-CAkey',
      'root.key',
      '-CAcreateserial',
      '-out',
      `${name}.pem`,
      '-days',
      DAYS,
      '-extfile',
      'tsa.cnf',
      '-extensions',
      name,
    );
  }
}

export async function startOpensslAuthority(): Promise<OpensslAuthority> {
  const folder = await mkdtemp(path.join(tmpdir(), 'authority-'));
  const openssl = async (...words: readonly string[]): Promise<string> => (await run('openssl', [...words], { cwd: folder })).stdout;
  await writeFile(path.join(folder, 'tsa.cnf'), CONFIG.replace('SERIAL', path.join(folder, 'serial')));
  await writeFile(path.join(folder, 'empty.cnf'), `[req]\ndistinguished_name = name\n[name]\n${CONFIG.slice(CONFIG.indexOf('[root]'))}`);
  await writeFile(path.join(folder, 'serial'), '01\n');
  await makeCertificates(openssl);
  let asked = 0;
  const authority: OpensslAuthority = {
    url: '',
    roots: path.join(folder, 'root.pem'),
    folder,
    change: undefined,
    openssl,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await rm(folder, { recursive: true, force: true });
    },
  };
  async function reply(query: Buffer): Promise<Buffer | number> {
    const name = `query-${(asked += 1)}`;
    await writeFile(path.join(folder, name), query);
    await openssl(
      'ts',
      '-reply',
      '-config',
      'tsa.cnf',
      '-queryfile',
      name,
      '-signer',
      'signer.pem',
      '-inkey',
      'signer.key',
      '-out',
      `${name}.tsr`,
    );
    const answer = await readFile(path.join(folder, `${name}.tsr`));
    return authority.change?.(answer) ?? answer;
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const made = await reply(Buffer.concat(parts)).catch(() => 500);
    if (typeof made === 'number') response.writeHead(made).end();
    else response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(made);
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return Object.assign(authority, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr` });
}
