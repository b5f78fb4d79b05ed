import { createHttpsClient, type HttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import type { Values } from './answered.ts';
import type { Rig } from './rig.ts';

const clients = new WeakMap<Rig, Promise<HttpsClient>>();

/** What the service answers to somebody who selects nothing, whatever the product asks for. */
export async function plainAnswer(rig: Rig, address: string): Promise<Values> {
  const client = clients.get(rig) ?? createHttpsClient(rig.simulator);
  clients.set(rig, client);
  const { status, json } = await (await client).send('GET', address);
  if (status !== 200) throw new Error(`${address} answers ${status}.`);
  return json;
}
