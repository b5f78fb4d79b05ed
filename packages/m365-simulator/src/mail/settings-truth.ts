import { type JsonObject, textOf } from '../values/json.ts';
import type { TruthRecord } from '../state/truth.ts';
import { mailboxTruth } from './mailbox-truth.ts';
import { settingsState } from './settings-routes.ts';

function recordOf(kind: string, entity: JsonObject): TruthRecord {
  return { path: textOf(entity['displayName']), id: textOf(entity['id']), kind, metadata: entity };
}

/** Settings, rules and categories of a mailbox as they are now: nobody keeps what they were. */
export const settingsTruth = mailboxTruth({
  kind: 'settings',
  changeCount: () => 0,
  *records(tenant, person) {
    const { settings, rules, categories } = settingsState(tenant, person);
    yield { path: 'settings', id: 'mailbox', kind: 'mailboxSettings', metadata: settings };
    for (const rule of rules) yield recordOf('rule', rule);
    for (const category of categories) yield recordOf('category', category);
  },
});
