import { graphError } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { ItemVersion, JsonObject } from '../../ports/item.ts';
import { createBeginnings } from '../beginnings.ts';
import type { CollisionPolicy, EarlierWork } from '../request.ts';
import type { RestoreContext } from '../restorer.ts';
import { createPageRestorer } from './pages.ts';

const STRANGE = { canvasLayout: { webparts: [{ webPartType: 'of-their-own' }, { innerHtml: 'Words' }] } };
const PLAIN = { canvasLayout: { webparts: [{ innerHtml: 'Words' }] } };

interface Given {
  readonly pages?: readonly object[];
  /** How many of the writes are refused, and as what. */
  readonly refusals?: number;
  readonly refusal?: Error;
  readonly collisions?: CollisionPolicy;
  readonly isLeft?: boolean;
  /** What the service makes of every page, whatever it is asked for. */
  readonly kindMade?: string;
}

function aSite({
  pages = [],
  refusals = 0,
  refusal = graphError('graph.bad-request'),
  collisions = 'replace',
  isLeft = false,
  kindMade,
}: Given = {}) {
  const asked: unknown[] = [];
  let left = refusals;
  const write = async (what: string, body: JsonObject): Promise<void> => {
    left -= 1;
    if (left >= 0) throw refusal;
    const { name = '', canvasLayout, promotionKind } = body;
    asked.push([what, name, canvasLayout, ...(promotionKind === undefined ? [] : [promotionKind])]);
  };
  const sites = {
    async *pages() {
      yield* pages;
    },
    createPage: async (_site: object, body: JsonObject) => {
      await write('create', body);
      return { id: 'made', promotionKind: 'page' };
    },
    updatePage: async (_page: object, body: JsonObject) => {
      await write('update', body);
      return { id: 'made', promotionKind: kindMade ?? body['promotionKind'] };
    },
    publishPage: async ({ pageId }: { readonly pageId: string }) => {
      asked.push(['publish', pageId]);
    },
  };
  const report = { begin: async () => {}, uploading: async () => {}, tell: async () => {} };
  const earlier = { begun: new Map([['page', []]]), uploads: new Map(), targets: async () => new Set<string>() } as unknown as EarlierWork;
  const context = {
    request: { collisions, target: { resource: {} } },
    graph: { sites },
    beginnings: createBeginnings(report, isLeft ? earlier : undefined),
    clock: { nowMs: () => 1_774_000_000_000 },
  } as unknown as RestoreContext;
  return { asked, restorer: createPageRestorer(context, 'site') };
}

const aPage = (properties: JsonObject = {}, changes: Partial<ItemVersion> = {}) =>
  anItem('page', { kind: 'page', name: 'News.aspx', modifiedAt: '2026-03-01T08:00:00Z', properties, ...changes });
const published = { publishingState: { level: 'published' } };
const there = { id: 'there', name: 'News.aspx', lastModifiedDateTime: '2026-02-01T08:00:00Z' };

const OWN = ['createdBy', 'lastModifiedBy', 'createdDateTime', 'lastModifiedDateTime'];

describe('a news post', () => {
  const post = aPage({ promotionKind: 'newsPost', ...published });
  const existing = { id: 'there', name: post.name };

  it('comes back as news, promoted after it was made and before it is published', async () => {
    const made = aSite();
    expect(await made.restorer.restore(post)).toMatchObject({ outcome: 'restored', differences: OWN });
    expect(made.asked).toEqual([
      ['create', post.name, undefined, 'newsPost'],
      ['update', '', undefined, 'newsPost'],
      ['publish', 'made'],
    ]);
    const replaced = aSite({ pages: [existing] });
    expect(await replaced.restorer.restore(post)).toMatchObject({ outcome: 'replaced', differences: OWN });
    expect(replaced.asked[0]).toEqual(['update', '', undefined, 'newsPost']);
  });

  it('is named in the report when the service leaves it a page', async () => {
    for (const given of [{ kindMade: 'page' }, { kindMade: 'page', pages: [existing] }])
      expect((await aSite(given).restorer.restore(post)).differences).toContain('promotionKind');
  });
});

describe('a page that is made anew', () => {
  it('is published when it was, and else a draft', async () => {
    const site = aSite({ pages: [{ id: 'nameless', name: null }] });
    expect(await site.restorer.restore(aPage({ title: 'News', ...PLAIN, ...published }))).toMatchObject({
      outcome: 'restored',
      targetId: 'made',
    });
    expect(site.asked).toEqual([
      ['create', 'News.aspx', PLAIN.canvasLayout],
      ['publish', 'made'],
    ]);
    const draft = aSite();
    await draft.restorer.restore(aPage(PLAIN));
    expect(draft.asked).toHaveLength(1);
  });

  it('is made without web parts that nobody may create, and says so; when even that is refused it is not possible', async () => {
    const once = aSite({ refusals: 1 });
    expect(await once.restorer.restore(aPage(STRANGE))).toMatchObject({
      outcome: 'restored',
      differences: ['webParts', ...OWN],
    });
    expect(once.asked).toEqual([['create', 'News.aspx', PLAIN.canvasLayout]]);
    const told = { outcome: 'notPossible', code: 'restore.page-web-parts' };
    expect(await aSite({ refusals: 2 }).restorer.restore(aPage(STRANGE))).toEqual(told);
    expect(await aSite({ refusals: 1 }).restorer.restore(aPage()), 'without a layout').toEqual(told);
    const down = aSite({ refusals: 1, refusal: graphError('graph.service-fault') });
    await expect(down.restorer.restore(aPage(STRANGE))).rejects.toMatchObject({ code: 'graph.service-fault' });
  });
});

describe('a page that meets one of its name', () => {
  it('gives its text to it, without web parts that are refused, and publishes it again', async () => {
    const site = aSite({ pages: [there], refusals: 1 });
    expect(await site.restorer.restore(aPage({ ...STRANGE, ...published }))).toMatchObject({
      outcome: 'replaced',
      targetId: 'there',
      differences: [...OWN, 'webParts'],
    });
    expect(site.asked).toEqual([
      ['update', '', PLAIN.canvasLayout],
      ['publish', 'there'],
    ]);
    await expect(aSite({ pages: [there], refusals: 1 }).restorer.restore(aPage())).rejects.toMatchObject({ code: 'graph.bad-request' });
    expect(await aSite({ pages: [there] }).restorer.restore(aPage())).toMatchObject({ differences: OWN });
  });

  it('stays out, or stands beside it under a name of its own', async () => {
    expect(await aSite({ pages: [there], collisions: 'skip' }).restorer.restore(aPage())).toMatchObject({ code: 'restore.exists' });
    const both = aSite({ pages: [there], collisions: 'keepBoth' });
    expect(await both.restorer.restore(aPage())).toMatchObject({ outcome: 'renamed' });
    expect(both.asked).toEqual([['create', 'News 1774000000000.aspx', undefined]]);
  });
});

it('goes on with the page that a worker that died has left, under whichever name', async () => {
  const own = aSite({ pages: [there], isLeft: true });
  expect(await own.restorer.restore(aPage(published))).toMatchObject({ outcome: 'restored', targetId: 'there' });
  expect(own.asked).toEqual([
    ['update', '', undefined],
    ['publish', 'there'],
  ]);
  const beside = aSite({ pages: [{ ...there, name: 'News 1774000000001.aspx' }], isLeft: true, collisions: 'keepBoth' });
  expect(await beside.restorer.restore(aPage())).toMatchObject({ outcome: 'renamed', targetId: 'there' });
});
