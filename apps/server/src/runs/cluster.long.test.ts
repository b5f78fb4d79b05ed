import { testDatabase } from '@holdfast/database/testing/test-database';
import { hasServer, startServer } from '@holdfast/vault/testing/object-stores';
import { test } from 'vitest';
import { proveCluster } from '../testing/prove-cluster.ts';

const testing = testDatabase(import.meta.url);
const hasCeph = hasServer('ceph');

test.skipIf(!hasCeph)(
  `a cluster over a bucket, with the heartbeat of the product${hasCeph ? '' : ' (the programs of Ceph are not on this machine)'}`,
  async () => {
    const objects = await startServer('ceph');
    try {
      const { endpoint, region, bucket, accessKeyId, secretAccessKey } = await objects.bucket();
      const keys = { accessKeyId, secretAccessKey: secretAccessKey.reveal() };
      const location = { kind: 's3', name: 'Bucket', endpoint, region, bucket, prefix: 'holdfast', forcePathStyle: true, ...keys };
      await proveCluster({ testing, messagesEach: 1_500, bucket: location });
    } finally {
      objects.stop();
    }
  },
  900_000,
);
