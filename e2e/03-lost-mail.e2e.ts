import { expect, test } from 'vitest';
import { createApi } from '../tools/api-client.ts';
import { demoOwner } from '../tools/demo.ts';
import { inject } from 'vitest';
import { expectNoFaults, signIn, takePicture, useBrowser, visit } from './support/browser.ts';
import { change, outbox, truthOf } from './support/simulator.ts';

useBrowser();

interface Run {
  readonly status: string;
  readonly workload: string;
}

/** Waits until the first backup of mail, which the demo starts, has ended. */
async function firstMailBackup(): Promise<Run> {
  const api = await createApi(inject('productAddress'), demoOwner);
  const { items } = await api.get<{ items: { tenantId: string }[] }>('/apollo/api/Tenants');
  const path = `/apollo/api/${items[0]?.tenantId}/monitoring?workload=exchange&active=false`;
  for (;;) {
    const runs = await api.get<{ items: Run[] }>(path);
    const [ended] = runs.items;
    if (ended) return ended;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

test('a mail that was deleted for good comes back from the portal in eight clicks or fewer', async () => {
  expect((await firstMailBackup()).status).toBe('successful');
  const people = await truthOwners('mail');
  const victim = people[0] ?? '';
  const before = await truthOf('mail', victim);
  const lost = before.find((item) => item.path.startsWith('Inbox/') && typeof item.sha256 === 'string');
  if (!lost) throw new Error('The mailbox has no mail in its inbox.');
  await change({ do: 'mail.purge', user: victim, id: lost.id });
  expect((await truthOf('mail', victim)).some((item) => item.id === lost.id)).toBe(false);

  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  let clicks = 0;
  const click = async (locator: ReturnType<typeof page.getByRole>): Promise<void> => {
    clicks += 1;
    await locator.click();
  };
  await click(page.getByRole('link', { name: 'Restore', exact: true }).first());
  await page.getByRole('heading', { level: 1, name: 'Restore' }).waitFor();
  await takePicture(page, 'restore-start');
  expect(clicks).toBeLessThanOrEqual(8);
  expect(await outbox()).toEqual([]);
  expectNoFaults(visitor);
});

async function truthOwners(kind: string): Promise<string[]> {
  const answer = await fetch(`${inject('simulatorAdmin')}/_simulator/tenants/${inject('simulatedTenantId')}/truth/${kind}`);
  const { owners } = (await answer.json()) as { owners: { owner: string }[] };
  return owners.map(({ owner }) => owner);
}
