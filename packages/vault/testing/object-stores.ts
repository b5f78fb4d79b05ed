import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { isFree } from '@holdfast/foundation/port';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import type { S3BlobStoreOptions } from '../src/blob/s3/options.ts';

const SCRIPTS = path.join(import.meta.dirname, '..', '..', '..', 'tools', 'object-stores');
/** Each server takes some ports after its own. */
const PORTS_TAKEN = 10;
/** Below the ports that systems hand out by themselves: one beside those is somebody's by the time a server binds it. */
const LOWEST_PORT = 20_000;
const PORT_ROWS = 1_000;
const START_TIMEOUT_MS = 120_000;

export interface ObjectServer {
  /** Settings for a store in a new bucket. */
  bucket(options?: { readonly objectLock?: boolean }): Promise<S3BlobStoreOptions>;
  stop(): void;
}

const SERVERS = {
  ceph: { programs: ['ceph-mon', 'ceph-osd', 'radosgw'], accessKeyId: 'holdfast' },
  swift: { programs: ['swift-proxy-server', 'swift-object-server', 'memcached'], accessKeyId: 'test:tester' },
} as const;

export type ServerName = keyof typeof SERVERS;

/** Whether the programs of a server are on this machine. */
export function hasServer(name: ServerName): boolean {
  return SERVERS[name].programs.every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);
}

/** The first of some free ports in a row. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = LOWEST_PORT + (secureRandom.bytes(2).readUInt16BE() % PORT_ROWS) * PORTS_TAKEN;
    const row = Array.from({ length: PORTS_TAKEN }, (_, at) => isFree(first + at));
    if ((await Promise.all(row)).every(Boolean)) return first;
  }
}

/** Starts these servers on loopback, all at once. */
export async function startServers(names: readonly ServerName[]): Promise<ReadonlyMap<ServerName, ObjectServer>> {
  const ports: number[] = [];
  while (ports.length < names.length) {
    const port = await freePorts();
    if (!ports.includes(port)) ports.push(port);
  }
  const starting = await Promise.allSettled(names.map((name, at) => startServer(name, ports[at] as number)));
  const started = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = starting.find((one) => one.status === 'rejected');
  if (failed) {
    for (const server of started) server.stop();
    throw failed.reason as Error;
  }
  return new Map(names.map((name, at) => [name, started[at] as ObjectServer]));
}

/** Runs a script of Bash; when it fails, how it ended and the last commands that it ran, with what they said. */
async function runScript(script: string, args: readonly string[]): Promise<string | undefined> {
  const file = path.join(os.tmpdir(), `holdfast-script-${secureRandom.bytes(4).toString('hex')}.log`);
  // Daemons keep what they inherit open: a pipe would never end.
  const output = openSync(file, 'w');
  const running = spawn('bash', ['-x', script, ...args], { stdio: ['ignore', output, output], timeout: START_TIMEOUT_MS });
  closeSync(output);
  const [status, signal] = (await once(running, 'exit')) as [number | null, string | null];
  const said = readFileSync(file, 'utf8').trim().split('\n').slice(-6).join('\n');
  rmSync(file);
  if (status === 0) return undefined;
  const ended = signal === null ? `it ended with ${status}` : `it took longer than ${START_TIMEOUT_MS / 1_000} seconds`;
  return `${ended}, the last that it did was\n${said}`;
}

/** Starts a server of its own on loopback, at a free port unless one is given. */
export async function startServer(name: ServerName, givenPort?: number): Promise<ObjectServer> {
  const port = givenPort ?? (await freePorts());
  const script = path.join(SCRIPTS, `${name}.sh`);
  const folder = path.join(os.tmpdir(), `holdfast-${name}-${secureRandom.bytes(4).toString('hex')}`);
  const failure = await runScript(script, ['start', folder, String(port)]);
  if (failure !== undefined) {
    // What of it has started must not stay behind.
    spawnSync(script, ['stop', folder]);
    throw new Error(`${name} did not start: ${failure}`);
  }
  const endpoint = `http://127.0.0.1:${port}`;
  const { accessKeyId } = SERVERS[name];
  const credentials = { accessKeyId, secretAccessKey: 'holdfast-secret' };
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials });
  return {
    async bucket(options = {}) {
      const bucket = `holdfast-${secureRandom.bytes(6).toString('hex')}`;
      await client.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: options.objectLock ?? false }));
      return {
        endpoint,
        region: 'us-east-1',
        bucket,
        prefix: 'vaults/one',
        accessKeyId,
        secretAccessKey: new Secret(credentials.secretAccessKey),
      };
    },
    stop() {
      client.destroy();
      spawnSync(script, ['stop', folder]);
    },
  };
}
