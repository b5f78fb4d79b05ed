import type { compliance } from '@holdfast/contract/compliance';
import type { ResponseOf } from '@holdfast/contract/route';
import type { Simulator } from '@holdfast/m365-simulator';
import { act, type SimulatedTenant } from '../../../testing/simulated-tenant.ts';
import type { TestServer } from '../../../testing/test-server.ts';

/** A version that a script deletes. */
export interface Doomed {
  readonly drive: string;
  readonly id: string;
  readonly version: string;
}

/** Plans a clean-up and waits for its run; answers how it ended, and its script. */
export async function cleanUp(
  { tenant, server, token }: { readonly tenant: SimulatedTenant; readonly server: Pick<TestServer, 'send'>; readonly token: string },
  rule: object,
) {
  const to = `${tenant.tenantId}/data-management/clean-ups`;
  const { taskId } = await tenant.call<{ taskId: string }>(to, rule);
  await tenant.ended(taskId, 60_000);
  const { items } = await tenant.call<ResponseOf<(typeof compliance)['cleanUps']>>(to);
  const script = await server.send(`/apollo/api/${to}/${taskId}/script`, { token });
  return { plan: items.find((one) => one.reportId === taskId), script };
}

/** Does in the simulator what the script does in Microsoft 365. */
export function runScript(simulator: Simulator, script: string): readonly Doomed[] {
  const lines = [...script.matchAll(/^Remove-Version '([^']+)' '([^']+)' '([^']+)'$/gm)];
  const doomed = lines.map(([, drive = '', id = '', version = '']) => ({ drive, id, version }));
  for (const one of doomed) act(simulator, 'drives.deleteVersion', one);
  return doomed;
}
