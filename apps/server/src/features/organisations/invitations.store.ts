import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { Insertable, Selectable, Updateable } from 'kysely';

export type InvitationRow = Selectable<OrganisationTables['invitations']>;

/** The organisation and realm of the invitation that a link opens. */
export function invitationScope(database: Database, codeHash: Buffer): Promise<Scope | undefined> {
  return database.acrossOrganisations(async (tx) => {
    const row = await tx
      .selectFrom('invitations')
      .select(['organisation_id', 'realm'])
      .where('code_hash', '=', codeHash)
      .executeTakeFirst();
    return row && { organisationId: row.organisation_id as Scope['organisationId'], realm: row.realm };
  });
}

/** Adds an invitation; false when the address has one already. */
export async function addInvitation(tx: Tx, row: Insertable<OrganisationTables['invitations']>): Promise<boolean> {
  const added = await tx
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Whether a member of the organisation has this address. */
export async function isMembersAddress(tx: Tx, normalisedEmail: string): Promise<boolean> {
  const found = await tx
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select('accounts.id')
    .where('accounts.normalised_email', '=', normalisedEmail)
    .executeTakeFirst();
  return found !== undefined;
}

export function listInvitations(tx: Tx): Promise<InvitationRow[]> {
  return tx.selectFrom('invitations').selectAll().orderBy('invitation_id').execute();
}

export function readInvitation(tx: Tx, invitationId: string): Promise<InvitationRow | undefined> {
  return tx.selectFrom('invitations').selectAll().where('invitation_id', '=', invitationId).executeTakeFirst();
}

/** The open invitation behind a link, locked until the end of the transaction, so that it is accepted once. */
export function lockInvitation(tx: Tx, codeHash: Buffer, at: Date): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('invitations')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', at)
    .forUpdate()
    .executeTakeFirst();
}

export async function changeInvitation(tx: Tx, invitationId: string, change: Updateable<OrganisationTables['invitations']>): Promise<void> {
  await tx.updateTable('invitations').set(change).where('invitation_id', '=', invitationId).execute();
}

export async function removeInvitation(tx: Tx, invitationId: string): Promise<void> {
  await tx.deleteFrom('invitations').where('invitation_id', '=', invitationId).execute();
}
