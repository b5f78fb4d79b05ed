import path from 'node:path';
import type { Run, RunDetails } from '@holdfast/contract/monitoring';
import { createApi, type Api } from '../../tools/api-client.ts';
import { demoOwner } from '../../tools/demo.ts';
import { startProduct, type Product, type SimulatorAddress } from '../../tools/product.ts';

/** The whole product with a simulated Microsoft 365 of a few full mailboxes, as `npm start` runs it. */
export interface Ground {
  readonly api: Api;
  readonly address: string;
  /** Everything about the tenant is below it. */
  readonly at: string;
  readonly locationId: string;
  readonly people: readonly Person[];
  readonly simulator: SimulatorAddress;
  stop(): Promise<void>;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

export interface Listed<Item> {
  readonly items: readonly Item[];
}

/** What a job of the whole organisation is about. */
export const everyone = { everyone: true, users: [], groups: [], sites: [], teams: [] };

const LOOK_MS = 250;
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

async function connect(
  api: Api,
  { simulator }: Product,
  folder: string,
): Promise<Pick<Ground, 'at' | 'locationId' | 'people' | 'simulator'>> {
  const tenant = simulator?.tenants[0];
  if (!simulator || !tenant) throw new Error('The simulator has no tenant.');
  const { tenantId: microsoftTenantId, clientId, clientSecret } = tenant;
  const named = { name: 'Bench', displayName: 'Bench', microsoftTenantId, clientId, clientSecret };
  const { tenantId } = await api.post<{ tenantId: string }>('/apollo/api/Tenants', named);
  const at = `/apollo/api/${tenantId}`;
  const location = { kind: 'filesystem', name: 'Vault', path: path.join(folder, 'data', 'vaults', 'bench') };
  const { locationId } = await api.post<{ locationId: string }>(`${at}/locations`, location);
  const { items } = await api.get<Listed<Person>>(`${at}/discovery/${locationId}/users?limit=200`);
  return { at, locationId, simulator, people: items.filter(({ address }) => address !== '') };
}

/** Starts all of it in a folder of its own. */
export async function makeGround(
  folder: string,
  size: { readonly mailboxes: number; readonly messages: number },
  environment: NodeJS.ProcessEnv = {},
): Promise<Ground> {
  const each = String(Math.ceil(size.messages / size.mailboxes));
  const product = await startProduct({
    dataDir: path.join(folder, 'data'),
    port: '0',
    withSimulator: true,
    simulatorArgs: ['--recipe', 'million', '--limits', 'off', '--users', String(size.mailboxes), '--messages-per-user', each],
    environment: { HOLDFAST_LOCATION_ROOTS: path.join(folder, 'data', 'vaults'), ...environment },
    onOutput: () => undefined,
  });
  try {
    const api = await createApi(product.address, demoOwner);
    return { api, address: product.address, ...(await connect(api, product, folder)), stop: () => product.stop() };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

/** Runs a job to its end; answers how many items it added and how long it worked. */
export async function finish({ api, at }: Ground, body: object): Promise<{ readonly added: number; readonly seconds: number }> {
  const { jobId } = await api.post<{ jobId: string }>(`${at}/jobs`, { schedule: { mode: 'disabled' }, ...body });
  await api.post(`${at}/jobs/${jobId}/start`, {});
  for (;;) {
    const [run] = (await api.get<Listed<Run>>(`${at}/monitoring?jobId=${jobId}&limit=1`)).items;
    if (run?.endedAt && run.startedAt) {
      if (run.status !== 'successful') throw new Error(`The run of ${run.jobName} ended ${run.status}.`);
      const { counts } = await api.get<RunDetails>(`${at}/monitoring/${run.reportId}`);
      return { added: counts.added, seconds: (Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1_000 };
    }
    await pause();
  }
}
