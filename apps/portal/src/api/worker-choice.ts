import { roles } from '@holdfast/contract/actions';
import type { Role } from '@holdfast/contract/actions';
import { clientTypes, worker } from '@holdfast/contract/workers';
import type { Client, Worker } from '@holdfast/contract/workers';
import { z } from 'zod';
import type { Realm } from './client.ts';
import type { Kept } from './storage.ts';
import { createStore, type Store } from './store.ts';

/** `worker` of the client state, kept persistently: whom the reader works for, and through which worker. */
export const chosenWorker = z.object({
  /** Whose choice it is: another user of this browser makes his own. */
  userId: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  abbr: z.string(),
  role: z.enum(roles),
  types: z.array(z.enum(clientTypes)),
  worker,
  /** The tenant of the production realm, for the way back from staging. */
  productionTenantId: z.string().nullable().default(null),
});
export type ChosenWorker = z.infer<typeof chosenWorker>;

export function choiceOf(client: Client, chosen: Worker, by: { readonly realm: Realm; readonly userId: string }): ChosenWorker {
  const choice: ChosenWorker = {
    userId: by.userId,
    clientId: client.clientId,
    clientName: client.name,
    abbr: client.abbr,
    role: client.role,
    types: client.types,
    worker: chosen,
    productionTenantId: by.realm === 'production' ? chosen.tenant_id : null,
  };
  return inRealm(choice, by.realm);
}

/** A worker as it is set in a realm: in staging its staging tenant becomes the tenant, whenever and however it is set. */
export function inRealm(choice: ChosenWorker, realm: Realm): ChosenWorker {
  const { worker: chosen, productionTenantId } = choice;
  const { tenant_id: current, stagingtenant_id: staging } = chosen;
  // A choice that was made in staging does not know the other tenant.
  const production = productionTenantId ?? (current === staging ? null : current);
  return { ...choice, worker: { ...chosen, tenant_id: realm === 'staging' ? staging : production }, productionTenantId: production };
}

/** The chosen worker as the realm has it: kept, and set again whenever the choice or the realm changes. */
export function createWorkerStore(
  kept: Kept<ChosenWorker>,
  realm: Pick<Store<Realm>, 'get'>,
): { readonly worker: Store<ChosenWorker | null>; readonly setWorker: (choice: ChosenWorker | null) => void } {
  const known = kept.read();
  const worker = createStore<ChosenWorker | null>(known && inRealm(known, realm.get()));
  return {
    worker,
    setWorker(choice) {
      worker.set(choice && inRealm(choice, realm.get()));
      kept.write(worker.get());
    },
  };
}

/** The role that counts for buttons: the one in the chosen organisation. */
export function roleOf(choice: ChosenWorker | null): Role | null {
  return choice?.role ?? null;
}
