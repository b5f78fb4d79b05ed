import type { GraphClient } from '@holdfast/m365';
import { tagOf } from '../../shared/canonical.ts';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Json } from '../../ports/item.ts';
import { compareListing, guardPart, jsonProperties, without } from '../compare-listing.ts';
import { AREAS } from './areas.ts';

/** The key of the settings of a mailbox. */
export const SETTINGS_KEY = 'settings:mailbox';

async function* putSettings(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const settings = await graph.exchange.settings.settings({ userId: context.resource.graphId });
  const properties = jsonProperties(settings as Readonly<Record<string, unknown>>);
  const previous = (await context.known.load([SETTINGS_KEY])).get(SETTINGS_KEY);
  const draft = {
    key: SETTINGS_KEY,
    kind: 'mailboxSettings',
    parentKey: AREAS.settings,
    name: 'settings',
    contentTag: '',
    properties,
  } as const;
  yield { step: 'put', draft, previous };
}

/** Rules, categories and settings of the mailbox: small enough to be read whole each time and compared. */
export async function* enumerateSettings(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const user = { userId: context.resource.graphId };
  const { settings } = graph.exchange;
  const parentKey = AREAS.settings;
  yield* guardPart({ key: SETTINGS_KEY, kind: 'mailboxSettings', parentKey, name: 'settings' }, () => putSettings(context, graph));
  yield* guardPart({ key: 'settings:rules', kind: 'rule', parentKey, name: 'rules' }, () =>
    compareListing(context, {
      parentKey,
      kind: 'rule',
      listing: settings.rules(user),
      draft: (rule) => {
        const properties = jsonProperties(without(rule, 'id'));
        return { key: `rule:${rule.id}`, kind: 'rule', parentKey, name: rule.displayName ?? '', contentTag: tagOf(properties), properties };
      },
    }),
  );
  yield* guardPart({ key: 'settings:categories', kind: 'category', parentKey, name: 'categories' }, () =>
    compareListing(context, {
      parentKey,
      kind: 'category',
      listing: settings.categories(user),
      draft: ({ id, displayName, color }) => {
        const properties = jsonProperties({ color }) as Record<string, Json>;
        return { key: `category:${id}`, kind: 'category', parentKey, name: displayName ?? '', contentTag: '', properties };
      },
    }),
  );
}
