import type { Tx } from '@holdfast/database';
import { phrasesOf } from '../http/language.ts';

/** The phrases in the language of an organisation's reports: runs that the product plans itself are named by them. */
export async function organisationPhrases(tx: Tx): Promise<ReturnType<typeof phrasesOf>> {
  const row = await tx.selectFrom('organisations').select('report_language').executeTakeFirst();
  return phrasesOf(row?.report_language ?? 'en');
}
