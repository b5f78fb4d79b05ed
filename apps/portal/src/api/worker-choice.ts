import { roles } from '@holdfast/contract/actions';
import type { Role } from '@holdfast/contract/actions';
import { clientTypes, worker } from '@holdfast/contract/workers';
import type { Client, Worker } from '@holdfast/contract/workers';
import { z } from 'zod';
import type { Realm } from './client.ts';

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
});
export type ChosenWorker = z.infer<typeof chosenWorker>;

/** What is kept when a worker is set: in the staging realm its staging tenant becomes the tenant. */
export function choiceOf(client: Client, chosen: Worker, by: { readonly realm: Realm; readonly userId: string }): ChosenWorker {
  return {
    userId: by.userId,
    clientId: client.clientId,
    clientName: client.name,
    abbr: client.abbr,
    role: client.role,
    types: client.types,
    worker: by.realm === 'staging' ? { ...chosen, tenant_id: chosen.stagingtenant_id } : chosen,
  };
}

/** The role that counts for buttons: the one in the chosen organisation. */
export function roleOf(choice: ChosenWorker | null): Role | null {
  return choice?.role ?? null;
}
