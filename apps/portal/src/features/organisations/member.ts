import type { PhraseKey } from '../../i18n/phrase-key.ts';
import type { members } from '@holdfast/contract/members';
import type { ResponseOf } from '@holdfast/contract/route';

/** One user of an organisation, as the list has it. */
export type Member = ResponseOf<typeof members.list>['items'][number];

/** Without a mailer the answer carries the link, and nothing has been sent. */
export function invitationSuccess({ link }: { readonly link: string | null }): PhraseKey {
  return link === null ? 'successes.invitationSent' : 'successes.invitationCreated';
}
