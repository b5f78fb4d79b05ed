import type { ExceptionRow, ExportFacts, LinkRow } from './conformance-facts.ts';

/** The text of the standard that these tests were made by. */
export const STANDARD_VERSION = '0.54';

export const conformanceStatuses = ['passed', 'failed', 'notApplicable', 'notChecked'] as const;
export type ConformanceStatus = (typeof conformanceStatuses)[number];

const reasons = {
  'as-sent-exported': 'passed',
  'as-sent-later': 'failed',
  'as-sent-bytes': 'failed',
  'as-sent-rule': 'failed',
  'as-sent-fallback': 'notChecked',
  'no-links': 'notApplicable',
  'no-list': 'notChecked',
  'ids-missing': 'failed',
  'ids-contradict': 'failed',
  'ids-several': 'passed',
  'ids-only': 'notChecked',
  'relations-kept': 'passed',
  'relation-parent': 'failed',
  'relation-child': 'failed',
  'relation-count': 'failed',
  'relations-single': 'notApplicable',
  'relations-mbox': 'notChecked',
  'no-identity': 'notChecked',
  'no-access': 'notChecked',
  'exceptions-whole': 'passed',
  'exception-item': 'failed',
  'exception-code': 'failed',
  'exception-history': 'failed',
  'exception-count': 'failed',
  'no-exceptions': 'notApplicable',
  'same-files': 'passed',
  'other-files': 'failed',
  'other-exceptions': 'failed',
  'other-head': 'failed',
  'no-second': 'notChecked',
  'other-scope': 'notChecked',
  'same-export': 'notChecked',
} as const satisfies Record<string, ConformanceStatus>;
export type ConformanceReason = keyof typeof reasons;

/** What a test came to, and what its reason names. */
export interface TestFinding {
  readonly status: ConformanceStatus;
  readonly reason: ConformanceReason;
  readonly values: Readonly<Record<string, string | number>>;
}

export interface TestResult extends TestFinding {
  readonly test: string;
  readonly name: string;
  /** The first level of the standard that asks for it. */
  readonly level: 'RG-Core' | 'RG-Plus';
}

const found = (reason: ConformanceReason, values: TestFinding['values'] = {}): TestFinding => ({ status: reasons[reason], reason, values });
const isResolved = ({ sha256, rule }: LinkRow): boolean => sha256 !== '' || rule !== '';
const itemOf = ({ ownerId, itemId }: LinkRow): string => `${ownerId}\n${itemId}`;

/** The first row of which something is to be said. */
function firstFault<Row>(rows: readonly Row[], faultOf: (row: Row, at: number) => TestFinding | undefined): TestFinding | undefined {
  for (const [at, row] of rows.entries()) {
    const fault = faultOf(row, at);
    if (fault) return fault;
  }
  return undefined;
}

/** Looks at the links that lead to a kept file, where there are any. */
function ofResolved({ links }: ExportFacts, look: (resolved: readonly LinkRow[]) => TestFinding): TestFinding {
  if (links === null) return found('no-list');
  const resolved = links.filter(isResolved);
  return resolved.length === 0 ? found('no-links') : look(resolved);
}

/** How many keys have more than one value. */
function several(pairs: readonly (readonly [key: string, value: string])[]): number {
  const values = new Map<string, Set<string>>();
  for (const [key, value] of pairs) values.set(key, (values.get(key) ?? new Set()).add(value));
  return [...values.values()].filter(({ size }) => size > 1).length;
}

const BEFORE = 'last-change-before';
const RULES: readonly string[] = [BEFORE, 'earlier-kept', 'first-kept-after'];

/** T-01: a link leads to the version of when it was sent, and the bytes of that version are handed out. */
const asSent = (facts: ExportFacts): TestFinding =>
  ofResolved(facts, (links) => {
    const fault = firstFault(links, ({ file, rule, changed, sent, name, version, sha256, exported }) => {
      if (!RULES.includes(rule)) return found('as-sent-rule', { file });
      if (rule === 'first-kept-after') return undefined;
      // A time that is missing or none is no time before.
      if (!(Date.parse(changed) <= Date.parse(sent))) return found('as-sent-later', { file, changed });
      const isThere = facts.files.get(exported) === sha256;
      return rule === BEFORE && !isThere ? found('as-sent-bytes', { file, name, version }) : undefined;
    });
    const count = links.filter(({ rule }) => rule === BEFORE).length;
    return fault ?? (count > 0 ? found('as-sent-exported', { count }) : found('as-sent-fallback'));
  });

/** T-02: what links lead to is named by ids that stay, whatever address they were written with. */
const canonical = (facts: ExportFacts): TestFinding =>
  ofResolved(facts, (links) => {
    const contents = new Map<string, string>();
    const fault = firstFault(links, (row) => {
      const { file, ownerId, itemId, version, sha256 } = row;
      if ([ownerId, itemId, version].includes('')) return found('ids-missing', { file });
      const one = `${itemOf(row)}\n${version}`;
      const known = contents.get(one) ?? sha256;
      contents.set(one, sha256);
      return known === sha256 ? undefined : found('ids-contradict', { file });
    });
    const count = several(links.map((row) => [itemOf(row), row.link]));
    return fault ?? (count > 0 ? found('ids-several', { count }) : found('ids-only', { count: links.length }));
  });

/** T-03: each link of an item stands by itself, with the item that it is of and the file that it leads to. */
function relations({ links, files, head }: ExportFacts): TestFinding {
  if (links === null) return found('no-list');
  // Of the mails of a mailbox file the list does not say which.
  if (head.content === 'mbox') return found('relations-mbox');
  const wanted = Object.values(head.links).reduce((sum, count) => sum + count, 0);
  if (wanted !== links.length) return found('relation-count', { wanted, count: links.length });
  const fault = firstFault(links, ({ file, exported }) => {
    if (!files.has(file)) return found('relation-parent', { file });
    return exported === '' || files.has(exported) ? undefined : found('relation-child', { file, exported });
  });
  const count = several(links.filter(isResolved).map((row) => [row.file, itemOf(row)]));
  return fault ?? (count > 0 ? found('relations-kept', { count }) : found('relations-single'));
}

const ATTEMPT = /^\d{4}-\d\d-\d\dT[\d:.]+Z \S+/u;

/** An exception has an attempt for what it says; one that is over says what was tried before. */
const isTold = ({ code, history }: ExceptionRow): boolean =>
  history.split('; ').every((attempt) => ATTEMPT.test(attempt)) && history.includes(code);

/** T-06: what could not be exported is named, with the reason and every attempt. */
function exceptions({ exceptions: rows, head }: ExportFacts): TestFinding {
  const fault = firstFault(rows, (row, at) => {
    const { account, name, reason } = row;
    if (account === '' && name === '') return found('exception-item', { line: at + 2 });
    if (reason === '') return found('exception-code', { name });
    return isTold(row) ? undefined : found('exception-history', { name });
  });
  if (fault) return fault;
  const count = rows.filter(({ code }) => code !== '').length;
  // A text that could not be read is listed too, though its item was exported.
  if (count < head.errors) return found('exception-count', { wanted: head.errors, count });
  return rows.length === 0 ? found('no-exceptions') : found('exceptions-whole', { count: rows.length });
}

/** Files that say who asked for the export, and the one with the times of attempts, which is compared row by row. */
const OWN = ['CHECK.html', 'errors.csv'];

/** The files that are not the same in both. Some say the same in other words: of these it counts that both have them. */
function otherFiles(facts: ExportFacts, again: ExportFacts): readonly string[] {
  const own = facts.head.content === 'z3' ? [...OWN, 'index.xml'] : OWN;
  const names = [...new Set([...facts.files.keys(), ...again.files.keys()])];
  return names.filter((name) => {
    const [one, other] = [facts.files.get(name), again.files.get(name)];
    return own.includes(name) ? (one === undefined) !== (other === undefined) : one !== other;
  });
}

const told = ({ exceptions: rows }: ExportFacts): string => JSON.stringify(rows.map(({ history: _times, ...row }) => row));

/** T-07: an export that is made again is the same. */
function reproducible(facts: ExportFacts, again: ExportFacts | undefined): TestFinding {
  if (!again) return found('no-second');
  const [one, other] = [facts.head, again.head];
  if (one.exportId === other.exportId) return found('same-export');
  if (one.content !== other.content || one.query !== other.query) return found('other-scope');
  const different = otherFiles(facts, again);
  const [file] = different;
  if (file !== undefined) return found('other-files', { count: different.length, file });
  if (told(facts) !== told(again)) return found('other-exceptions');
  const field = (['accounts', 'errors', 'links'] as const).find((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
  return field === undefined ? found('same-files', { count: facts.files.size }) : found('other-head', { field });
}

/** The minimum tests of the standard over an export that is whole, and a second one of the same list. */
export function conformanceOf(facts: ExportFacts, again?: ExportFacts): readonly TestResult[] {
  return [
    { test: 'T-01', name: 'As-sent resolution', level: 'RG-Core', ...asSent(facts) },
    { test: 'T-02', name: 'Link canonicalization', level: 'RG-Core', ...canonical(facts) },
    { test: 'T-03', name: 'Relationship integrity', level: 'RG-Core', ...relations(facts) },
    { test: 'T-04', name: 'Identity as-of', level: 'RG-Plus', ...found('no-identity') },
    { test: 'T-05', name: 'Access evidence (bounded)', level: 'RG-Plus', ...found('no-access') },
    { test: 'T-06', name: 'Exception determinism', level: 'RG-Core', ...exceptions(facts) },
    { test: 'T-07', name: 'Export reproducibility', level: 'RG-Core', ...reproducible(facts, again) },
  ];
}
