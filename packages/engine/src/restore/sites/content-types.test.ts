import { graphError, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { Json } from '../../ports/item.ts';
import { createContentTypes } from './content-types.ts';

interface Type {
  readonly id: string;
  readonly name?: string;
  readonly parentId?: string;
}

/** A site with these content types and columns, one list with these, and what is refused, by what is asked for. */
function aSite({
  ofSite = [{ id: '0x' }, { id: '0x01', name: 'Item' }],
  ofList = [{ id: '0x0100L', name: 'Item', parentId: '0x01' }],
  refuses = {},
}: { readonly ofSite?: readonly Type[]; readonly ofList?: readonly Type[]; readonly refuses?: Readonly<Record<string, Error>> } = {}) {
  const asked: unknown[] = [];
  const list = [...ofList];
  const ask = async (what: string, ...more: readonly unknown[]): Promise<void> => {
    asked.push([what, ...more]);
    const refusal = refuses[what];
    if (refusal) throw refusal;
  };
  const sites = {
    async *siteContentTypes() {
      yield* ofSite;
    },
    async *listContentTypes() {
      yield* list;
    },
    async *siteColumns() {
      yield { id: 'column-effort', name: 'Effort' };
      yield { id: 'column-notes', name: 'Notes' };
      yield { id: 'nameless' };
    },
    async createSiteContentType(_site: object, body: { readonly name: string }) {
      await ask('create', body);
      return { id: 'made', name: body.name };
    },
    addContentTypeColumn: (_site: object, typeId: string, columnId: string) => ask(columnId, typeId),
    async addContentTypeCopy(_list: object, typeId: string) {
      const name = ofSite.find(({ id }) => id === typeId)?.name ?? 'Order';
      list.push({ id: `${typeId}-copy`, name, parentId: typeId });
      await ask('copy', typeId);
    },
  };
  const types = createContentTypes({ sites } as unknown as GraphClient, 'site');
  return { asked, place: (contentTypes: readonly Json[]) => types.place(anItem('list:1', { properties: { contentTypes } }), 'list') };
}

const item = { id: '0x0100S', name: 'Item', parentId: '0x01' };
const order = { id: '0x0100AA00S', name: 'Order', parentId: '0x0100AA', description: 'What is bought', group: 'Ours' };

describe('content types that a list has', () => {
  it('are found by name, and by what they are copies of under another name, without asking for more', async () => {
    const site = aSite({
      ofList: [
        { id: 'a', name: 'Element', parentId: '0x01' },
        { id: 'b', name: 'ORDER' },
      ],
    });
    expect(await site.place([item, order])).toEqual({
      ids: new Map([
        ['0x0100S', 'a'],
        ['0x0100AA00S', 'b'],
      ]),
      differences: [],
    });
    expect(site.asked).toEqual([]);
  });
});

describe('content types that a list lacks', () => {
  it('are copied from the site, by id or by name', async () => {
    for (const own of [
      { id: '0x0100AA', name: 'Renamed' },
      { id: '0x0100BB', name: 'order' },
    ]) {
      const site = aSite({ ofSite: [{ id: '0x01', name: 'Item' }, own] });
      expect(await site.place([item, order]), own.id).toEqual({
        ids: new Map([
          ['0x0100S', '0x0100L'],
          ['0x0100AA00S', `${own.id}-copy`],
        ]),
        differences: [],
      });
      expect(site.asked).toEqual([['copy', own.id]]);
    }
  });

  it('are made in a site that lacks them, below the nearest ancestor, with the columns that the site has', async () => {
    const ofSite = [{ id: '0x' }, { id: '0x01', name: 'Item' }, { id: '0x0100AA', name: 'Paper' }];
    const deep = { ...order, parentId: '0x0100AA00BB', columns: [{ name: 'Title' }, { name: 'Effort' }, { name: 'Notes' }] };
    const site = aSite({ ofSite, refuses: { 'column-notes': graphError('graph.name-taken') } });
    expect(await site.place([deep])).toMatchObject({ differences: [] });
    expect(site.asked).toEqual([
      ['create', { name: 'Order', description: 'What is bought', group: 'Ours', base: { id: '0x0100AA' } }],
      ['column-effort', 'made'],
      ['column-notes', 'made'],
      ['copy', 'made'],
    ]);
  });

  it('are named when columns stay behind, or nobody knows which they had', async () => {
    const told = { differences: ['contentTypeColumns Order'] };
    expect(await aSite().place([order])).toMatchObject(told);
    expect(await aSite().place([{ ...order, columns: [{ name: 'Of the list' }, { name: 'Effort' }] }])).toMatchObject(told);
    const refusing = aSite({ refuses: { 'column-effort': graphError('graph.bad-request') } });
    expect(await refusing.place([{ ...order, columns: [{ name: 'Effort' }, { name: 'Notes' }] }])).toMatchObject(told);
    expect(refusing.asked).toContainEqual(['column-notes', 'made']);
  });

  it('are named when the service refuses them or the site has nothing to make them of; other faults are faults', async () => {
    const told = { differences: ['listContentType Order'] };
    for (const what of ['create', 'copy']) {
      const site = aSite({ refuses: { [what]: graphError('graph.bad-request') } });
      expect(await site.place([{ ...order, columns: [] }]), what).toMatchObject(told);
    }
    expect(await aSite({ ofSite: [{ id: '0x' }] }).place([order])).toMatchObject(told);
    const down = aSite({ refuses: { copy: graphError('graph.service-fault') } });
    await expect(down.place([order])).rejects.toMatchObject({ code: 'graph.service-fault' });
  });

  it('are there when the answer to the copy was lost', async () => {
    const ofSite = [{ id: '0x0100AA', name: 'Order' }];
    const site = aSite({ ofSite, refuses: { copy: graphError('graph.name-taken') } });
    expect(await site.place([order])).toEqual({ ids: new Map([['0x0100AA00S', '0x0100AA-copy']]), differences: [] });
  });
});
