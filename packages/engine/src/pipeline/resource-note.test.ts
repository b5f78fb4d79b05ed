import { expect, test } from 'vitest';
import { resourceKinds } from '../ports/item.ts';
import { noteOf, resourceFromSummary } from './resource-note.ts';

test('a resource is known again from the note of its segment', () => {
  for (const kind of resourceKinds) {
    const resource = { id: 'ours', kind, graphId: 'theirs', name: 'Adele Vance', address: 'adele@contoso.com' };
    expect(resourceFromSummary('ours', { added: 1, resource: noteOf(resource) })).toEqual(resource);
  }
  const bare = { id: 'ours', kind: 'chat', graphId: 'theirs', name: '' } as const;
  expect(resourceFromSummary('ours', { resource: noteOf(bare) })).toEqual({ ...bare, address: '' });
});

test('a summary without a whole note names no resource', () => {
  const whole = { kind: 'site', graphId: 'g', name: 'n', address: '' };
  const { address: _, ...partial } = whole;
  const summaries = [null, 'text', [], { added: 1 }, { resource: null }, { resource: partial }, { resource: { ...whole, kind: 'planet' } }];
  for (const summary of summaries) expect(resourceFromSummary('ours', summary)).toBeUndefined();
});
