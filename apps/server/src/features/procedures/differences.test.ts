import type { ProcedureEntry } from '@holdfast/contract/procedures';
import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';

const job = (key: string, values: Record<string, string>, name = 'Mail'): ProcedureEntry => ({ part: 'jobs', key, name, values });

test('a version names what came, what changed field by field, and what went', () => {
  const before = [job('1', { schedule: 'daily', kind: 'backup' }), job('2', {}), job('3', { kind: 'drill' })];
  const after = [
    job('1', { schedule: 'weekly', kind: 'backup', location: 'Vault' }, 'All mail'),
    job('3', { kind: 'drill' }),
    job('4', {}),
  ];
  expect(differencesOf(before, after)).toEqual([
    {
      part: 'jobs',
      key: '1',
      name: 'All mail',
      kind: 'changed',
      fields: [
        { field: 'name', before: 'Mail', after: 'All mail' },
        { field: 'schedule', before: 'daily', after: 'weekly' },
        { field: 'location', before: '', after: 'Vault' },
      ],
    },
    { part: 'jobs', key: '4', name: 'Mail', kind: 'added', fields: [] },
    { part: 'jobs', key: '2', name: 'Mail', kind: 'removed', fields: [] },
  ]);
  expect(differencesOf(after, after)).toEqual([]);
});
