import { graphError, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { Json } from '../../ports/item.ts';
import { createListSchema } from './list-schema.ts';

type Recover = { readonly recover: () => Promise<{ readonly id: string } | undefined> };

/** A site with one list, which refuses some columns, and the answers of which may be lost. */
function aSite({
  refuses = {},
  isAnswerLost = false,
}: { readonly refuses?: Readonly<Record<string, Error>>; readonly isAnswerLost?: boolean } = {}) {
  const made: unknown[] = [];
  const sites = {
    async *lists() {
      yield { id: 'there', displayName: 'Tasks' };
      yield { id: 'nameless' };
    },
    async *columns() {
      yield { name: 'Title' };
      yield { name: 'Known', readOnly: false };
      for (const name of ['ContentType', 'Attachments', 'Edit', 'LinkTitle', 'ItemChildCount']) yield { name, readOnly: false };
      yield { name: 'Sum', readOnly: true };
      yield {};
    },
    createColumn: async (_list: object, body: { readonly name?: string }) => {
      const refusal = refuses[body.name ?? ''];
      if (refusal) throw refusal;
      made.push(body);
    },
    createList: async (_site: object, body: object, { recover }: Recover) => {
      made.push(body);
      return (isAnswerLost ? await recover() : undefined) ?? { id: 'new' };
    },
  };
  return { made, schema: createListSchema({ sites } as unknown as GraphClient, 'site') };
}

const aList = (columns?: readonly Json[], properties = {}) =>
  anItem('list:1', { kind: 'list', name: 'Tasks', properties: { ...(columns ? { columns } : {}), ...properties } });

describe('columns that a list lacks', () => {
  it('are made, but for those that it has, that every list has, and that the service fills', async () => {
    const { schema, made } = aSite();
    const columns = [
      { name: 'Known', text: {} },
      { name: 'Title', text: {} },
      { name: 'Filled', readOnly: true, text: {} },
      { name: 'Sealed', sealed: true, text: {} },
      { text: {} },
      { name: 'New', description: 'What it is', required: true, text: { allowMultipleLines: true }, hidden: null },
      { name: 'Total', readOnly: true, calculated: { formula: '=1' } },
    ];
    expect(await schema.createMissingColumns(aList(columns), 'there')).toEqual(['column Sealed']);
    expect(made).toEqual([
      { name: 'New', description: 'What it is', required: true, text: { allowMultipleLines: true } },
      { name: 'Total', calculated: { formula: '=1' } },
    ]);
    expect(await schema.createMissingColumns(aList(), 'there')).toEqual([]);
  });

  it('are named when the service refuses them, or nobody knows their kind; other faults are faults', async () => {
    const refuses = {
      Points: graphError('graph.bad-request'),
      Twice: graphError('graph.name-taken'),
      Fault: graphError('graph.service-fault'),
      Unsure: graphError('graph.write-uncertain'),
      Down: graphError('graph.network'),
    };
    const { schema } = aSite({ refuses });
    const columns = [
      { name: 'Points', lookup: { listId: 'x' } },
      { name: 'Twice', text: {} },
      { name: 'Odd', strange: {} },
      { name: 'Fault', text: {} },
      { name: 'Unsure', text: {} },
    ];
    const told = ['Points', 'Twice', 'Odd', 'Fault', 'Unsure'].map((name) => `column ${name}`);
    expect(await schema.createMissingColumns(aList(columns), 'there')).toEqual(told);
    const faulty = schema.createMissingColumns(aList([{ name: 'Down', text: {} }]), 'there');
    await expect(faulty).rejects.toMatchObject({ code: 'graph.network' });
  });

  it('take values where they are not the service’s', async () => {
    expect([...(await aSite().schema.writableColumns('there')).keys()]).toEqual(['Title', 'Known']);
  });
});

describe('a list that is made anew', () => {
  it('is of its kind, with the columns that point nowhere', async () => {
    const { schema, made } = aSite();
    const columns = [
      { name: 'New', text: {} },
      { name: 'Points', lookup: {} },
    ];
    const list = aList(columns, { list: { template: 'events' }, description: 'Dates' });
    expect(await schema.create(list, 'Dates')).toEqual({ outcome: 'restored', targetId: 'new' });
    expect(await schema.create(aList(), 'Plain')).toMatchObject({ targetId: 'new' });
    expect(made).toEqual([
      { displayName: 'Dates', list: { template: 'events' }, columns: [{ name: 'New', text: {} }], description: 'Dates' },
      { displayName: 'Plain', list: { template: 'genericList' }, columns: [] },
    ]);
  });

  it('is found by its name when the answer was lost', async () => {
    const { schema } = aSite({ isAnswerLost: true });
    expect(await schema.create(aList(), 'TASKS')).toMatchObject({ targetId: 'there' });
    expect(await schema.create(aList(), 'Not there')).toMatchObject({ targetId: 'new' });
  });
});
