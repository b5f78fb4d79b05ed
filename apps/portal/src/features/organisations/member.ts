import type { members } from '@holdfast/contract/members';
import type { ResponseOf } from '@holdfast/contract/route';

/** One user of an organisation, as the list has it. */
export type Member = ResponseOf<typeof members.list>['items'][number];
