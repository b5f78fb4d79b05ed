import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answered } from '../../../testing/answered.ts';
import { answeredList, answeredPage, answeredRow, LIST_TOLD_AS, PAGE_TOLD_AS, rowToldAs } from '../../../testing/answered-site.ts';
import { compareCopies, type CopyComparison } from '../../../testing/compare-copies.ts';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { RestoreLine } from '../request.ts';

const CHOSEN = {
  showComments: false,
  showRecommendedPages: true,
  thumbnailWebUrl: 'https://contoso.sharepoint.com/may.png',
  description: 'What May brought',
};

/** Fills a site with what a list and a page can be. */
async function fill(rig: Rig, siteId: string): Promise<void> {
  const { sites } = rig.graph;
  const page = await sites.createPage({ siteId }, { name: 'May.aspx', title: 'News of May', pageLayout: 'article', ...CHOSEN });
  await sites.updatePage({ siteId, pageId: page.id }, { promotionKind: 'newsPost' });
  await sites.publishPage({ siteId, pageId: page.id });
}

describe('the copy of a list, an item or a page says what the original says, or the report names the property', () => {
  let rig: Rig;
  let siteId: string;
  let lines: readonly RestoreLine[];
  const originals = new Map<string, Answered>();

  function answerOf(key: string): Promise<Answered> {
    const [kind, id = '', itemId] = key.split(':');
    if (kind === 'page') return answeredPage(rig, siteId, id);
    return itemId === undefined ? answeredList(rig, siteId, id) : answeredRow(rig, { siteId, listId: id, itemId });
  }

  /** What is restored to its own place is compared with what was there, so that nothing differs for the place alone. */
  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    const { sites } = rig.graph;
    for await (const one of sites.allSites()) if (one.displayName === 'Intranet') siteId = one.id;
    await fill(rig, siteId);
    const site = rig.resource('site', siteId);
    await rig.backup(site);
    const items = (await rig.items(site)).filter(({ kind }) => kind === 'list' || kind === 'listItem' || kind === 'page');
    for (const { key } of items) originals.set(key, await answerOf(key));
    for (const { key, kind } of items) {
      const [, id = ''] = key.split(':');
      if (kind === 'list') await sites.deleteList({ siteId, listId: id });
      if (kind === 'page') await sites.deletePage({ siteId, pageId: id });
    }
    ({ lines } = await rig.restore({ source: site, selection: 'all', target: { resource: site }, collisions: 'skip' }));
  }, 60_000);
  afterAll(() => rig.close());

  async function expectAlike(kind: 'list' | 'listItem' | 'page', toldAs: CopyComparison['toldAs'] = {}, restored = lines): Promise<void> {
    const compared = await compareCopies(restored, {
      kind,
      section: 'Sites',
      toldAs,
      original: async ({ key }) => originals.get(key) ?? new Map(),
      copy: ({ targetId }) => answerOf(kind === 'listItem' ? targetId : `${kind}:${targetId}`),
    });
    expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
    expect(compared.count).toBeGreaterThan(0);
  }

  it('for lists', () => expectAlike('list', LIST_TOLD_AS));
  it('for items of lists', () => expectAlike('listItem', rowToldAs));
  it('for pages and news', () => expectAlike('page', PAGE_TOLD_AS));

  it('for a page that was changed and is replaced', async () => {
    const line = lines.find(({ kind, path }) => kind === 'page' && path.endsWith('May.aspx'));
    const pageId = line?.targetId ?? '';
    const changed = { title: 'News of June', showComments: true, showRecommendedPages: false, thumbnailWebUrl: '', description: 'June' };
    await rig.graph.sites.updatePage({ siteId, pageId }, changed);
    const site = rig.resource('site', siteId);
    const request = { source: site, selection: [line?.key ?? ''], target: { resource: site }, collisions: 'replace' } as const;
    const again = await rig.restore(request);
    expect(again.lines).toMatchObject([{ outcome: 'replaced', targetId: pageId }]);
    await expectAlike('page', PAGE_TOLD_AS, again.lines);
  });

  it('for items that were changed and are replaced, also in columns that were empty', async () => {
    const { sites } = rig.graph;
    const site = rig.resource('site', siteId);
    const list = (await Array.fromAsync(sites.lists({ siteId }))).find(({ displayName }) => displayName === 'Vorgänge');
    const listId = list?.id ?? '';
    const [half, whole] = [{ Title: 'Half' }, { Title: 'Whole', Notes: 'Said at first' }];
    const rows = await Promise.all([half, whole].map((fields) => sites.createItem({ siteId, listId }, { fields })));
    await rig.backup(site);
    const keys = rows.map(({ id }) => `list:${listId}:${id}`);
    for (const key of keys) originals.set(key, await answerOf(key));
    for (const { id: itemId } of rows)
      await sites.updateFields(
        { siteId, listId, itemId },
        { Title: 'Other', Notes: 'Said later', Effort: 12, Approved: true, Status: 'Open' },
      );
    const request = { source: site, selection: keys, target: { resource: site }, collisions: 'replace' } as const;
    const again = await rig.restore(request);
    expect(again.lines.filter(({ kind }) => kind === 'listItem').map(({ outcome }) => outcome)).toEqual(['replaced', 'replaced']);
    // Replacing an item adds a version to its history.
    const toldAs = (name: string) => (name === 'versions' ? ['lastModifiedBy'] : rowToldAs(name));
    await expectAlike('listItem', toldAs, again.lines);
  });
});
