import { expect, test } from 'vitest';
import { mayHandleRole, roles, rolesToGive } from './actions.ts';

test('nobody handles a role above their own, and everybody their own', () => {
  for (const [index, own] of roles.entries()) {
    for (const [other, role] of roles.entries()) expect(mayHandleRole(own, role)).toBe(index <= other);
  }
  expect(rolesToGive('administrator')).toEqual(['administrator', 'operator', 'auditor', 'reader']);
});
