import type { CaseDetails, CasePerson, CaseReport } from '@holdfast/contract/case-values';
import type { Policy, PolicyPreview } from '@holdfast/contract/retention';
import type { Listed } from '../archive/ground.ts';
import { MAILBOXES } from './fill.ts';
import type { RecordsGround } from './ground.ts';

const TERMS = 50;
const MOST = 20_000;

export const seconds = (since: number, digits = 2): number => Number(((performance.now() - since) / 1_000).toFixed(digits));

/** From the start of a run to its end. */
export async function secondsOfRun({ administrator }: RecordsGround, runId: string | null): Promise<number> {
  const [run] = await administrator.query(
    'select extract(epoch from ended_at - started_at)::float8 as seconds from runs where run_id = $1',
    [runId],
  );
  return Number(run?.['seconds']);
}

/** From words that nearly every mail has to words of one or two: by a factor from one to the next. */
const rankOf = (term: number): number => Math.round(MOST ** (term / (TERMS - 1))) - 1 + term;

/** The report of a case whose queries are so many terms, over the archives of everybody. */
export async function measureReport({ api, at }: RecordsGround, word: (rank: number) => string, messages: number): Promise<number> {
  const { caseId } = await api.post<CaseDetails>(`${at}/archive/cases`, { matter: 'Bench', reference: '', from: null, to: null });
  const cases = `${at}/archive/cases/${caseId}`;
  const { items } = await api.get<Listed<CasePerson>>(`${cases}/people?search=list.example&limit=200`);
  if (items.length !== MAILBOXES) throw new Error(`${items.length} people have archives.`);
  await api.post(`${cases}/custodians`, { keys: items.map(({ key }) => key) });
  for (let term = 0; term < TERMS; term += 1) await api.post(`${cases}/queries`, { name: `Term ${term + 1}`, query: word(rankOf(term)) });
  const began = performance.now();
  const report = await api.post<CaseReport>(`${cases}/report`, {});
  const taken = seconds(began);
  if (report.queries.length !== TERMS || report.hits < messages / 2) throw new Error(`The report finds ${report.hits} items.`);
  return taken;
}

/** The preview of a policy with a minimum and a maximum on everything, beside another one that is in force. */
export async function measurePreview({ api, second, at }: RecordsGround, messages: number): Promise<number> {
  const policies = `${at}/archive/policies`;
  const rules = { anchor: 'received', length: { amount: 6, unit: 'years' }, start: 'calendarYear' };
  const drafted = (name: string, maximum: object | null): Promise<Policy> => api.post(policies, { name, ...rules, maximum });
  const letters = await drafted('Letters', null);
  await api.post(`${policies}/${letters.policyId}/preview`, {});
  await api.post(`${policies}/${letters.policyId}/activate`, {});
  const waiting = await second.get<Listed<{ approvalId: string; subjectId: string }>>(`${at}/approvals`);
  const approval = waiting.items.find(({ subjectId }) => subjectId === letters.policyId);
  await second.post(`${at}/approvals/${approval?.approvalId}/approve`, {});
  const { policyId } = await drafted('Everything', { amount: 8, unit: 'years' });
  const began = performance.now();
  const preview = await api.post<PolicyPreview>(`${policies}/${policyId}/preview`, {});
  const taken = seconds(began);
  const found = preview.kept.messages + preview.over.messages;
  if (found < messages || preview.due.messages === 0)
    throw new Error(`The preview knows of ${found} messages, ${preview.due.messages} due.`);
  return taken;
}
