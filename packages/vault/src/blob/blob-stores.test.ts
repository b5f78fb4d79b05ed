import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { systemClock } from '@holdfast/foundation/clock';
import { secureRandom } from '@holdfast/foundation/random';
import { aFolder } from '../../testing/builders.ts';
import { describeBlobStore } from './blob-store.contract.ts';
import { createFilesystemBlobStore } from './filesystem.ts';
import { createMemoryBlobStore } from './memory.ts';
import { withFaults } from './with-faults.ts';
import { withMetrics } from './with-metrics.ts';
import { withRetry } from './with-retry.ts';
import { withThrottle } from './with-throttle.ts';

const inMemory = () => createMemoryBlobStore();
const close = async (): Promise<void> => undefined;

describeBlobStore('memory', async () => ({ store: inMemory(), close }));
describeBlobStore('filesystem', async () => {
  const { folder, remove } = aFolder();
  return { store: createFilesystemBlobStore({ root: folder }), close: async () => remove() };
});
describeBlobStore('with retry', async () => ({ store: withRetry(inMemory(), { clock: createFakeClock(), random: secureRandom }), close }));
describeBlobStore('with throttle', async () => ({ store: withThrottle(inMemory(), { clock: systemClock, concurrency: 3 }), close }));
describeBlobStore('with metrics', async () => ({
  store: withMetrics(inMemory(), { clock: systemClock, onRequest: () => undefined }),
  close,
}));
describeBlobStore('with faults that never come', async () => ({ store: withFaults(inMemory(), () => undefined), close }));
