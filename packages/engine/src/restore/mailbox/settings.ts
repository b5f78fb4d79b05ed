import { isGraphError } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';
import type { ItemOutcome, RestoreContext } from '../restorer.ts';
import { writable } from './contacts.ts';

const RULE_READ_ONLY = new Set(['id', 'isReadOnly', 'hasError']);
const SETTINGS = ['language', 'timeZone', 'dateFormat', 'timeFormat', 'workingHours', 'delegateMeetingMessageDeliveryOptions'] as const;

/** Finds where a folder of the source lies at the target, by key. */
export type FolderAtTarget = (key: string) => string | undefined;

function mapFolders(value: Json | undefined, folderAt: FolderAtTarget): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const out: Record<string, Json> = { ...(value as Readonly<Record<string, Json>>) };
  for (const name of ['moveToFolder', 'copyToFolder']) {
    const id = out[name];
    if (typeof id === 'string') out[name] = folderAt(id) ?? id;
  }
  return out;
}

/** Rules, categories and settings. Automatic replies come last and disabled, unless asked for as they were. */
export function createSettingsRestorer(context: RestoreContext, folderAt: FolderAtTarget) {
  const { request, graph } = context;
  const { settings } = graph.exchange;
  const user = { userId: request.target.resource.graphId };
  let rules: Promise<ReadonlySet<string>> | undefined;
  let categories: Promise<ReadonlySet<string>> | undefined;

  async function ruleNames(): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for await (const rule of settings.rules(user)) names.add((rule.displayName ?? '').toLowerCase());
    return names;
  }

  async function categoryNames(): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    for await (const category of settings.categories(user)) names.add((category.displayName ?? '').toLowerCase());
    return names;
  }

  async function restoreRule(item: ItemVersion): Promise<ItemOutcome> {
    const { properties } = item;
    if (properties['isReadOnly'] === true) return { outcome: 'notPossible', code: 'restore.rule-read-only' };
    if (properties['hasError'] === true) return { outcome: 'notPossible', code: 'restore.rule-has-error' };
    rules ??= ruleNames();
    if ((await rules).has(item.name.toLowerCase())) return { outcome: 'skipped', code: 'restore.exists' };
    const actions = mapFolders(properties['actions'], folderAt);
    const body = { ...writable(properties, RULE_READ_ONLY), ...(actions === undefined ? {} : { actions }) };
    const made = await settings.createRule(user, body);
    return { outcome: 'restored', targetId: made.id };
  }

  async function restoreCategory(item: ItemVersion): Promise<ItemOutcome> {
    categories ??= categoryNames();
    if ((await categories).has(item.name.toLowerCase())) return { outcome: 'skipped', code: 'restore.exists' };
    const { color } = item.properties;
    try {
      const made = await settings.createCategory(user, { displayName: item.name, color: typeof color === 'string' ? color : 'none' });
      return { outcome: 'restored', targetId: made.id };
    } catch (error) {
      if (isGraphError(error, 'graph.name-taken')) return { outcome: 'skipped', code: 'restore.exists' };
      throw error;
    }
  }

  async function restoreSettings({ properties }: ItemVersion): Promise<ItemOutcome> {
    // Every mailbox has settings, and they do not say since when: they give way only where that is asked for.
    if (request.collisions !== 'replace') return { outcome: 'skipped', code: 'restore.exists' };
    const isAsWas = request.options?.automaticReplies === true;
    const change: Record<string, unknown> = {};
    for (const name of SETTINGS) if (properties[name] !== undefined) change[name] = properties[name];
    const replies = properties['automaticRepliesSetting'] as { readonly status?: string } | null | undefined;
    if (replies) change['automaticRepliesSetting'] = isAsWas ? replies : { ...replies, status: 'disabled' };
    await settings.updateSettings(user, change);
    const isTurnedOff = !isAsWas && (replies?.status ?? 'disabled') !== 'disabled';
    return { outcome: 'replaced', differences: isTurnedOff ? ['automaticRepliesSetting.status'] : [] };
  }

  return {
    async restore(item: ItemVersion): Promise<ItemOutcome> {
      // A rule would sort the mail that comes, and nothing of them can be in a folder.
      if (request.target.folder !== undefined) return { outcome: 'notPossible', code: 'restore.whole-mailbox' };
      if (item.kind === 'rule') return restoreRule(item);
      if (item.kind === 'category') return restoreCategory(item);
      return restoreSettings(item);
    },
  };
}
