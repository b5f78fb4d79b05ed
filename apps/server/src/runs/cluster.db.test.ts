import { testDatabase } from '@holdfast/database/testing/test-database';
import { test } from 'vitest';
import { proveCluster } from '../testing/prove-cluster.ts';

const testing = testDatabase(import.meta.url);

test('one of three workers is killed and one cut off: every job finishes, exactly once', async () => {
  await proveCluster({ testing, messagesEach: 400, heartbeatSeconds: 10 });
}, 300_000);
