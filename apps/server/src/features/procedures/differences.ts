import type { ProcedureChange, ProcedureEntry, ProcedureSection } from '@holdfast/contract/procedures';

/** A difference, with the key of what differs: the audit log knows it by that. */
export type Difference = Omit<ProcedureChange, 'actor' | 'at'> & { readonly key: string };

/** What is compared: an entry of a part, or a section of the organisation. */
type Compared = Omit<ProcedureEntry, 'part'> & Pick<ProcedureChange, 'part'>;

function fieldsOf(before: Compared, after: Compared): ProcedureChange['fields'] {
  const all = new Set([...Object.keys(before.values), ...Object.keys(after.values)]);
  const values = [...all].map((field) => ({ field, before: before.values[field] ?? '', after: after.values[field] ?? '' }));
  const name = { field: 'name', before: before.name, after: after.name };
  return [name, ...values].filter((field) => field.before !== field.after);
}

/** What differs between the entries of two versions, in the order of the newer one; what was removed comes last. */
export function differencesOf(before: readonly Compared[], after: readonly Compared[]): readonly Difference[] {
  const idOf = ({ part, key }: Compared): string => `${part} ${key}`;
  const old = new Map(before.map((entry) => [idOf(entry), entry]));
  const found: Difference[] = [];
  for (const entry of after) {
    const { part, key, name } = entry;
    const known = old.get(idOf(entry));
    old.delete(idOf(entry));
    const fields = known ? fieldsOf(known, entry) : [];
    if (!known || fields.length > 0) found.push({ part, key, name, kind: known ? 'changed' : 'added', fields });
  }
  return [...found, ...[...old.values()].map(({ part, key, name }): Difference => ({ part, key, name, kind: 'removed', fields: [] }))];
}

/** The sections of an organisation as what is compared: the second of a heading is another one than the first. */
export function comparedSections(sections: readonly ProcedureSection[]): readonly Compared[] {
  const seen = new Map<string, number>();
  return sections.map(({ title, text }) => {
    const number = (seen.get(title) ?? 0) + 1;
    seen.set(title, number);
    return { part: 'sections', key: `${number} ${title}`, name: title, values: { text } };
  });
}
