import type { Article } from '../catalogue/manual.ts';

/** How an administrator limits which mailboxes the app reaches, and what Microsoft changes in 2026. */
export const mailboxAccess: Article = {
  group: 'safety',
  title: 'Limit access to mailboxes',
  question: 'Which mailboxes can Holdfast reach?',
  blocks: [
    {
      kind: 'text',
      text: 'Permissions that you grant in Entra cover every mailbox. To limit Holdfast to some mailboxes, use RBAC for Applications in Exchange Online. It replaces application access policies, which still work.',
    },
    {
      kind: 'steps',
      items: [
        'In Entra, remove the Exchange roles for mail, mailbox settings, calendars and contacts from the app. A role granted in Entra is not limited by Exchange.',
        'Keep Tasks.Read.All and Tasks.ReadWrite.All in Entra: Exchange has no role for To Do.',
        'In Exchange Online PowerShell, run New-ServicePrincipal with the IDs of the enterprise application, then New-ManagementScope for the mailboxes.',
        'Run New-ManagementRoleAssignment with -App and -CustomResourceScope for each role, for example "Application Mail.Read" and "Application Calendars.Read".',
        'Wait up to two hours, then test the connection again.',
      ],
    },
    {
      kind: 'text',
      text: 'Roles of Exchange do not appear in the sign-in of the app. The connection test therefore reads one mailbox and shows these permissions as "For selected mailboxes". It writes nothing, so write permissions show "Proven by a restore". The test tries up to 20 licensed mailboxes; if none of them is in the scope, the permissions show as missing.',
    },
    {
      kind: 'text',
      text: 'A mailbox outside the scope, or closed by an application access policy, is not backed up and is listed under Not protected. The other mailboxes are not affected.',
    },
    {
      kind: 'note',
      text: 'From 31 December 2026, Microsoft protects messages that are no longer drafts against changes. If Microsoft then refuses to add attachments over 3 MB to a restored message, the restore names the permission Mail-Advanced.ReadWrite.All. Add it to the app and restore the message again.',
    },
    {
      kind: 'note',
      text: 'Microsoft has been blocking Exchange Web Services (EWS) since October 2026. Holdfast does not use EWS: it reads and writes through Microsoft Graph alone, and you need no exception.',
    },
  ],
};
