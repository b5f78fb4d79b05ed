import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import type { S3BlobStoreOptions } from '../src/blob/s3/options.ts';

const SCRIPTS = path.join(import.meta.dirname, '..', '..', '..', 'tools', 'object-stores');
/** Each server takes some ports after its own. */
const PORTS_TAKEN = 10;

export interface ObjectServer {
  /** Settings for a store in a new bucket. */
  bucket(options?: { readonly objectLock?: boolean }): Promise<S3BlobStoreOptions>;
  stop(): void;
}

const SERVERS = {
  ceph: { programs: ['ceph-mon', 'ceph-osd', 'radosgw'], accessKeyId: 'holdfast' },
  swift: { programs: ['swift-proxy-server', 'swift-object-server', 'memcached'], accessKeyId: 'test:tester' },
} as const;

/** Whether the programs of a server are on this machine. */
export function hasServer(name: keyof typeof SERVERS): boolean {
  return SERVERS[name].programs.every((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(Math.min(port, 65_000 - PORTS_TAKEN)));
    });
  });
}

/** Starts a server of its own on loopback. */
export async function startServer(name: keyof typeof SERVERS): Promise<ObjectServer> {
  const script = path.join(SCRIPTS, `${name}.sh`);
  const folder = path.join(os.tmpdir(), `holdfast-${name}-${secureRandom.bytes(4).toString('hex')}`);
  const port = await freePort();
  // Daemons keep what they inherit open: a pipe would never end.
  const started = spawnSync(script, ['start', folder, String(port)], { stdio: 'ignore', timeout: 120_000 });
  if (started.status !== 0) {
    // What of it has started must not stay behind.
    spawnSync(script, ['stop', folder]);
    throw new Error(`${name} did not start; run ${script} to see why`);
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
