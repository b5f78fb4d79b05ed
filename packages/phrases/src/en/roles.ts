/** Roles, for everybody who has one: also for those who are invited and see nothing else yet. */
export const roles = {
  owner: 'Owner',
  administrator: 'Administrator',
  operator: 'Operator',
  auditor: 'Auditor',
  reader: 'Reader',
};
