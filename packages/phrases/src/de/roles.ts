import type { roles as english } from '../en/roles.ts';
import type { SameKeys } from '../catalogue/shape.ts';

/** Roles, for everybody who has one: also for those who are invited and see nothing else yet. */
export const roles: SameKeys<typeof english> = {
  owner: 'Besitzer',
  administrator: 'Administrator',
  operator: 'Operator',
  auditor: 'Prüfer',
  reader: 'Leser',
};
