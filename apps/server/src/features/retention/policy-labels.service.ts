import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { guidOf } from '@holdfast/foundation/sensitivity-labels';
import { foundLabels, labelIdsOf } from '../search/index.ts';
import type { PolicyRow } from './policy-row.ts';

/**
 * The labels that a body names, by GUID or by the name that something kept carries. A policy goes by GUIDs: a label that is renamed stays the
 * same, and another one that is called so later is not meant. A GUID may be of a label that nothing carries yet; a name tells none then.
 */
export async function chosenLabels(tx: Tx, tenantId: string, named: readonly string[]): Promise<PolicyRow['labels']> {
  if (named.length === 0) return [];
  const names = new Map((await foundLabels(tx, tenantId)).map(({ labelId, name }) => [labelId, name]));
  const chosen = new Map<string, string>();
  for (const one of named) {
    const guid = guidOf(one);
    const labelIds = guid === undefined ? await labelIdsOf(tx, tenantId, one) : [guid];
    if (labelIds.length === 0) throw new AppError('retention.label-unknown', { details: { field: 'labels', label: one } });
    for (const labelId of labelIds) chosen.set(labelId, names.get(labelId) ?? (guid === undefined ? one : ''));
  }
  return [...chosen].map(([labelId, name]) => ({ labelId, name }));
}
