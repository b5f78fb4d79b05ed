import { createApi } from './api-client.ts';
import { demoOwner } from './demo.ts';
import { changeAt, truthAt, type Simulated, type TrueItem } from './simulated-people.ts';

/** A mail that is nowhere any more but in the vault. */
export interface LostMail {
  readonly person: string;
  readonly folder: string;
  readonly subject: string;
}

interface Listed<Item> {
  readonly items: readonly Item[];
}

/** Somebody whose mailbox the first backup of Contoso holds. */
const owner = { name: 'Grace Harris', address: 'grace.harris@contoso.com', folder: 'Inbox' } as const;
const LOOK_MS = 1_000;

/** Deletes the newest mail of an inbox for good, as a person would who also empties the bin. */
export async function loseMail(place: Simulated): Promise<LostMail> {
  const received = ({ metadata }: TrueItem): string => String(metadata['receivedDateTime']);
  const [newest] = (await truthAt(place, 'mail', owner.address))
    .filter(({ kind, path }) => kind === 'message' && path === owner.folder)
    .toSorted((one, other) => received(other).localeCompare(received(one)));
  if (newest === undefined) throw new Error(`${owner.name} has no mail to lose.`);
  await changeAt(place, [{ do: 'mail.purge', user: owner.address, id: newest.id }]);
  return { person: owner.name, folder: owner.folder, subject: String(newest.metadata['subject']) };
}

/** Waits for the first backup of mail; false when it did not end well, or when it ended before this start. */
export async function firstMailBackup(address: string, signal: AbortSignal): Promise<boolean> {
  const api = await createApi(address, demoOwner);
  const tenants = await api.get<Listed<{ readonly tenantId: string }>>('/apollo/api/Tenants');
  const path = `/apollo/api/${tenants.items[0]?.tenantId ?? ''}/monitoring?workload=exchange&type=backup&limit=2`;
  for (let hasWaited = false; !signal.aborted; hasWaited = true) {
    const { items } = await api.get<Listed<{ readonly status: string }>>(path);
    const status = items[0]?.status ?? 'pending';
    if (!['pending', 'running'].includes(status)) return hasWaited && items.length === 1 && status === 'successful';
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}
