import { isGraphError } from '@holdfast/m365';
import type { ItemVersion, Json, JsonObject } from '../../ports/item.ts';
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

  async function restoreSettings(item: ItemVersion): Promise<ItemOutcome> {
    const change: Record<string, unknown> = {};
    for (const name of SETTINGS) if (item.properties[name] !== undefined) change[name] = item.properties[name];
    const replies = item.properties['automaticRepliesSetting'];
    if (typeof replies === 'object' && replies !== null) {
      const asWas = request.options?.automaticReplies === true;
      change['automaticRepliesSetting'] = asWas ? replies : { ...(replies as JsonObject), status: 'disabled' };
    }
    await settings.updateSettings(user, change);
    const wasOn = (replies as { readonly status?: string } | undefined)?.status;
    const differences =
      wasOn !== undefined && wasOn !== 'disabled' && !request.options?.automaticReplies ? ['automaticRepliesSetting.status'] : [];
    return { outcome: 'replaced', differences };
  }

  return {
    async restore(item: ItemVersion): Promise<ItemOutcome> {
      if (item.kind === 'rule') return restoreRule(item);
      if (item.kind === 'category') return restoreCategory(item);
      return restoreSettings(item);
    },
  };
}
