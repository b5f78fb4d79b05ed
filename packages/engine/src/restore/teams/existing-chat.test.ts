import { graphError, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { endOldMigration, readBeginning, readMessages } from './existing-chat.ts';

/** A chat whose members each say when it began, or why they can't be asked. */
function aChat(members: readonly (string | null | Error)[], others: object = {}): GraphClient {
  const chats = {
    async *members() {
      for (const [index, said] of members.entries()) yield { id: `${index}`, userId: said === '' ? null : `user ${index}` };
    },
    async *chats({ userId }: { readonly userId: string }) {
      const said = members[Number(userId.slice('user '.length))];
      if (said instanceof Error) throw said;
      yield { id: 'another', createdDateTime: '2019-01-01T00:00:00Z' };
      if (said !== undefined) yield { id: 'chat', createdDateTime: said };
    },
    ...others,
  };
  return { chats } as unknown as GraphClient;
}

const BEGAN = '2020-01-01T00:00:00Z';

describe('when a chat began', () => {
  it('is told by any of its members that can be asked', async () => {
    for (const code of ['graph.resource-gone', 'graph.mailbox-missing', 'graph.service-fault', 'graph.permission-missing'] as const)
      expect(await readBeginning(aChat(['', graphError(code), BEGAN]), 'chat'), code).toBe(BEGAN);
  });

  it('is not known when nobody is there who could tell', async () => {
    expect(await readBeginning(aChat([graphError('graph.resource-gone'), null]), 'chat')).toBeUndefined();
    expect(await readBeginning(aChat([BEGAN]), 'not theirs')).toBeUndefined();
  });

  it('fails with the fault because of which nobody told, and with what is of the whole tenant', async () => {
    const faulty = aChat([graphError('graph.access-denied'), graphError('graph.service-fault'), graphError('graph.network')]);
    await expect(readBeginning(faulty, 'chat')).rejects.toMatchObject({ code: 'graph.service-fault' });
    const shut = aChat([graphError('graph.access-withdrawn'), BEGAN]);
    await expect(readBeginning(shut, 'chat')).rejects.toMatchObject({ code: 'graph.access-withdrawn' });
    await expect(readBeginning(aChat([new Error('stopped'), BEGAN]), 'chat')).rejects.toThrow('stopped');
  });
});

describe('a chat that may be gone', () => {
  const failing = (error: Error): GraphClient =>
    aChat([], {
      async *messages() {
        yield { id: '1' };
        throw error;
      },
      async completeMigration() {
        throw error;
      },
    });

  it('has no messages when it is; any other fault is one', async () => {
    expect(await readMessages(failing(graphError('graph.resource-gone')), 'chat')).toBeUndefined();
    await expect(readMessages(failing(graphError('graph.service-fault')), 'chat')).rejects.toMatchObject({ code: 'graph.service-fault' });
  });

  it('keeps the migration of another application; any other refusal is a fault', async () => {
    await endOldMigration(failing(graphError('graph.access-denied')), 'chat');
    await expect(endOldMigration(failing(graphError('graph.bad-request')), 'chat')).rejects.toMatchObject({ code: 'graph.bad-request' });
  });
});
