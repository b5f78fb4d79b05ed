import { excludingCodes } from '@holdfast/contract/coverage';
import { sql, type RawBuilder } from 'kysely';

/** The status of a resource of a run (`account`) as people read it: excluded by choice is one thing, blocked or archived another. */
export const shownStatus: RawBuilder<unknown> = sql`(case when account.status = 'excluded' and account.code is not null
  and not (account.code = any(${[...excludingCodes]}::text[])) then 'unprotected' else account.status end)`;
