import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { besidePrefix } from '../beside.ts';
import { keptInPlace } from '../kept-in-place.ts';
import { writtenOf, type ItemOutcome, type RestoreContext } from '../restorer.ts';
import { createPageWriter, OWN, wasPublished } from './write-page.ts';

interface ExistingPage {
  readonly id: string;
  readonly modifiedAt: string | null | undefined;
}

/** A page with its name in lower case. */
type NamedPage = ExistingPage & { readonly name: string };

/** The page of a name; where both are kept also those that were given a longer one. */
function namesakes(known: ReadonlyMap<string, ExistingPage>, name: string, isBoth: boolean): readonly NamedPage[] {
  const stem = name.replace(/\.aspx$/iu, '').toLowerCase();
  const isOne = (other: string): boolean =>
    other === name.toLowerCase() || (isBoth && /^ \d{10,}\.aspx$/u.test(other.slice(stem.length)) && other.startsWith(stem));
  return [...known].flatMap(([other, page]) => (isOne(other) ? [{ ...page, name: other }] : []));
}

async function readPages(graph: GraphClient, siteId: string): Promise<Map<string, ExistingPage>> {
  const found = new Map<string, ExistingPage>();
  for await (const { id, name, lastModifiedDateTime: modifiedAt } of graph.sites.pages({ siteId })) {
    found.set((name ?? '').toLowerCase(), { id, modifiedAt });
  }
  return found;
}

/** Puts pages back: as drafts first, published when they were. */
export function createPageRestorer(context: RestoreContext, siteId: string) {
  const { request, graph, beginnings } = context;
  let existing: Promise<Map<string, ExistingPage>> | undefined;

  const pages = () => readPages(graph, siteId);
  const { create, update } = createPageWriter(context, siteId, async (name) => (await pages()).get(name.toLowerCase()));

  async function noteWritten(item: ItemVersion, pageId: string): Promise<void> {
    if (!beginnings.isNoted) return;
    const { eTag } = await graph.sites.page({ siteId, pageId });
    await beginnings.wrote({ ...writtenOf(item), targetId: pageId, place: siteId, mark: eTag ?? '' });
  }

  /** A page that a worker that died had made, perhaps without having published it. */
  async function goOn(item: ItemVersion, left: NamedPage): Promise<ItemOutcome> {
    const { differences = [] } = await update(item, left.id);
    await noteWritten(item, left.id);
    return { outcome: left.name === item.name.toLowerCase() ? 'restored' : 'renamed', targetId: left.id, differences };
  }

  async function make(item: ItemVersion, name: string, known: Map<string, ExistingPage>): Promise<ItemOutcome> {
    try {
      const made = await create(item, name);
      known.set(name.toLowerCase(), { id: made.id, modifiedAt: undefined });
      if (wasPublished(item)) await graph.sites.publishPage({ siteId, pageId: made.id });
      await noteWritten(item, made.id);
      const outcome = name === item.name ? 'restored' : 'renamed';
      return { outcome, targetId: made.id, differences: [...made.differences, ...OWN] };
    } catch (error) {
      if (isGraphError(error, 'graph.bad-request')) return { outcome: 'notPossible', code: 'restore.page-web-parts' };
      throw error;
    }
  }

  return {
    async restore(item: ItemVersion): Promise<ItemOutcome> {
      existing ??= pages();
      const known = await existing;
      const { folder } = request.target;
      const prefix = folder === undefined ? '' : besidePrefix(folder);
      let name = `${prefix}${item.name}`;
      const there = namesakes(known, name, request.collisions === 'keepBoth');
      const [left] = await beginnings.leftOf(item.key, there);
      if (left) return goOn(item, left);
      const old = known.get(name.toLowerCase());
      if (old !== undefined) {
        const kept = keptInPlace(request, item, old);
        if (kept) return kept;
        if (request.collisions !== 'keepBoth') return update(item, old.id);
        name = name.replace(/(\.aspx)?$/iu, ` ${context.clock.nowMs()}.aspx`);
      }
      await beginnings.begin(item.key, there);
      return make(item, name, known);
    },
  };
}
