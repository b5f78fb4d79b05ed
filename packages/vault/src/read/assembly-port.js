import { startThread } from '../thread-calls.ts';
import { badFrames } from '../pack/pack-check.ts';
import { createAssembly } from './assembly.ts';
export function createInlineAssemblyPort(keys) {
  const assembly = createAssembly(keys);
  return {
    run: async (task) => assembly.run(task),
    endRun: async (runId) => assembly.endRun(runId),
    check: async (packId, data, frames) => badFrames(keys, packId, data, frames),
    close: async () => undefined,
  };
}
export function createThreadAssemblyPort(keys) {
  const settings = { vaultId: keys.vaultId, vaultKey: keys.vaultKey };
  const thread = startThread(new URL('assembly.thread.ts', import.meta.url), settings);
  return {
    run: (task) => thread.ask({ call: 'run', task }, task.buffers),
    endRun: (runId) => thread.ask({ call: 'endRun', runId }),
    check(packId, data, frames) {
      const isOwn = data.buffer instanceof ArrayBuffer && data.byteLength === data.buffer.byteLength;
      const given = isOwn ? data : new Uint8Array(data);
      return thread.ask({ call: 'check', packId, data: given, frames }, [given.buffer]);
    },
    close: () => thread.close(),
  };
}
