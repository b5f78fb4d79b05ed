import { createApi, type Api } from './api-client.ts';
import { demoOwner } from './demo.ts';
import { askAdmin, type Simulated } from './simulated-people.ts';

interface Receiver {
  readonly receiverId: string;
  readonly address: string;
  readonly listening: { readonly hostName: string; readonly port: number } | null;
}

interface Listed<Item> {
  readonly items: readonly Item[];
}

/** How often people of Contoso write to each other. */
const EVERY_MS = 10_000;
const LOOK_MS = 1_000;

async function receiverOf(api: Api, at: string): Promise<void> {
  const known = await api.get<Listed<Receiver>>(`${at}/archive/receivers`);
  const [location] = (await api.get<Listed<{ locationId: string }>>(`${at}/locations`)).items;
  if (known.items.length > 0 || !location) return;
  await api.post(`${at}/archive/receivers`, {
    name: 'Journal of Contoso',
    locationId: location.locationId,
    networks: ['127.0.0.1', '::1'],
  });
}

/** Sets up a receiver and, in the simulated Exchange, the journal rule that reports to it. */
export async function journalDemo(address: string, { admin, tenantId }: Simulated, signal: AbortSignal): Promise<void> {
  const api = await createApi(address, demoOwner);
  const [tenant] = (await api.get<Listed<{ tenantId: string }>>('/apollo/api/Tenants')).items;
  if (!tenant) return;
  const at = `/apollo/api/${tenant.tenantId}`;
  await receiverOf(api, at);
  while (!signal.aborted) {
    const [receiver] = (await api.get<Listed<Receiver>>(`${at}/archive/receivers`)).items;
    if (!receiver) return;
    if (receiver.listening) {
      const rule = { to: receiver.address, host: '127.0.0.1', port: receiver.listening.port, everyMs: EVERY_MS };
      await askAdmin(`${admin}/tenants/${tenantId}/journal`, { method: 'PUT', body: JSON.stringify(rule) });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
