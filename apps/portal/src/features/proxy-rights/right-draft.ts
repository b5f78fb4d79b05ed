import { proxyActions, proxyHolderKinds, proxyRightBody, proxyTargetKinds } from '@holdfast/contract/proxy-rights';
import type { ProxyRightBody } from '@holdfast/contract/proxy-rights';
import { z } from 'zod';
import { endOfDay, optionalDay, requiredDay, startOfDay } from '../../i18n/calendar-day.ts';

const reference = z.object({ id: z.string(), name: z.string(), address: z.string() });

interface Chosen {
  readonly kind: string;
  readonly accounts: readonly { readonly id: string }[];
  readonly groups: readonly { readonly id: string }[];
}

function idOf({ kind, accounts, groups }: Chosen): string | undefined {
  return (kind === 'account' ? accounts : groups)[0]?.id;
}
const holderOf = (draft: { holderKind: string; holderAccount: Chosen['accounts']; holderGroup: Chosen['groups'] }): string | undefined =>
  idOf({ kind: draft.holderKind, accounts: draft.holderAccount, groups: draft.holderGroup });
const targetOf = (draft: { targetKind: string; targetAccount: Chosen['accounts']; targetGroup: Chosen['groups'] }): string | undefined =>
  idOf({ kind: draft.targetKind, accounts: draft.targetAccount, groups: draft.targetGroup });

/** The field of the form that shows who was chosen. */
export function fieldOf(side: 'holder' | 'target', kind: string): string {
  return `${side}${kind === 'group' ? 'Group' : 'Account'}`;
}

/** What the form asks for: people by name, permissions as boxes and days instead of moments. */
export const rightDraft = z
  .object({
    holderKind: z.enum(proxyHolderKinds),
    holderAccount: z.array(reference),
    holderGroup: z.array(reference),
    targetKind: z.enum(proxyTargetKinds),
    targetAccount: z.array(reference),
    targetGroup: z.array(reference),
    read: z.boolean(),
    export: z.boolean(),
    restore: z.boolean(),
    includesPrivate: z.boolean(),
    mailFrom: optionalDay,
    mailTo: optionalDay,
    accessFrom: requiredDay,
    accessTo: requiredDay,
    purpose: proxyRightBody.shape.purpose,
  })
  .superRefine((draft, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    const holder = holderOf(draft);
    const target = targetOf(draft);
    if (holder === undefined) refuse(fieldOf('holder', draft.holderKind), 'validation.required');
    if (draft.targetKind !== 'everyone') {
      if (target === undefined) refuse(fieldOf('target', draft.targetKind), 'validation.required');
      else if (draft.targetKind === draft.holderKind && target === holder)
        refuse(fieldOf('target', draft.targetKind), 'validation.selected');
    }
    if (proxyActions.every((action) => !draft[action])) refuse('read', 'validation.proxyActions');
    if (draft.mailFrom !== null && draft.mailTo !== null && draft.mailFrom > draft.mailTo) refuse('mailTo', 'validation.holdPeriod');
    if (draft.accessFrom > draft.accessTo) refuse('accessTo', 'validation.holdPeriod');
  });
export type RightDraft = z.output<typeof rightDraft>;

export const emptyDraft: z.input<typeof rightDraft> = {
  holderKind: 'account',
  holderAccount: [],
  holderGroup: [],
  targetKind: 'account',
  targetAccount: [],
  targetGroup: [],
  read: true,
  export: false,
  restore: false,
  includesPrivate: false,
  mailFrom: '',
  mailTo: '',
  accessFrom: '',
  accessTo: '',
  purpose: '',
};

/** The body of a draft: whole days, in the reader's zone. */
export function bodyOf(draft: RightDraft): ProxyRightBody {
  const { holderKind, targetKind, includesPrivate, mailFrom, mailTo, accessFrom, accessTo, purpose } = draft;
  return {
    holder: { kind: holderKind, id: holderOf(draft) ?? '' },
    target: targetKind === 'everyone' ? { kind: targetKind } : { kind: targetKind, id: targetOf(draft) ?? '' },
    may: proxyActions.filter((action) => draft[action]),
    mailFrom: mailFrom === null ? null : startOfDay(mailFrom),
    mailTo: mailTo === null ? null : endOfDay(mailTo),
    accessFrom: startOfDay(accessFrom),
    accessTo: endOfDay(accessTo),
    purpose,
    includesPrivate,
  };
}
